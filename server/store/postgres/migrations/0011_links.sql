-- +goose Up
-- Links to look at forms without an account. version is 0 for the newest one, and opened is 0 for never.
CREATE TABLE links (
  id        text COLLATE "C" PRIMARY KEY,
  tenant    text COLLATE "C" NOT NULL,
  form      text COLLATE "C" NOT NULL,
  label     text COLLATE "C" NOT NULL,
  version   bigint NOT NULL,
  author_id text COLLATE "C" NOT NULL,
  author    text COLLATE "C" NOT NULL,
  created   bigint NOT NULL,
  expires   bigint NOT NULL,
  opened    bigint NOT NULL,
  times     bigint NOT NULL
);
CREATE INDEX links_by_form ON links (tenant, form);

-- +goose Down
DROP TABLE links;
