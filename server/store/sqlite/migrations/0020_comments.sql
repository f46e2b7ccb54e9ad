-- +goose Up
-- Comments on forms, by the address of the tenant's management API, empty for the embedded tenant, and the IDs of forms there. edited and
-- resolved are 0 for never. mentions is a JSON array of the persons whom the comment mentions, or empty.
CREATE TABLE comments (
  tenant      TEXT NOT NULL,
  form        TEXT NOT NULL,
  id          TEXT NOT NULL,
  thread      TEXT NOT NULL,
  node        TEXT NOT NULL,
  component   TEXT NOT NULL,
  body        TEXT NOT NULL,
  author_id   TEXT NOT NULL,
  author      TEXT NOT NULL,
  created     INTEGER NOT NULL,
  edited      INTEGER NOT NULL,
  resolver_id TEXT NOT NULL,
  resolver    TEXT NOT NULL,
  resolved    INTEGER NOT NULL,
  mentions    TEXT NOT NULL,
  PRIMARY KEY (tenant, form, id)
);

-- +goose Down
DROP TABLE comments;
