-- +goose Up
-- Comments on forms, by the address of the tenant's management API, empty for the embedded tenant, and the IDs of forms there. edited and
-- resolved are 0 for never. mentions is a JSON array of the persons whom the comment mentions, or empty.
CREATE TABLE comments (
  tenant      text COLLATE "C" NOT NULL,
  form        text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  thread      text COLLATE "C" NOT NULL,
  node        text COLLATE "C" NOT NULL,
  component   text COLLATE "C" NOT NULL,
  body        text COLLATE "C" NOT NULL,
  author_id   text COLLATE "C" NOT NULL,
  author      text COLLATE "C" NOT NULL,
  created     bigint NOT NULL,
  edited      bigint NOT NULL,
  resolver_id text COLLATE "C" NOT NULL,
  resolver    text COLLATE "C" NOT NULL,
  resolved    bigint NOT NULL,
  mentions    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, form, id)
);

-- +goose Down
DROP TABLE comments;
