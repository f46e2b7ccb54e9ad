-- +goose Up
-- Saved versions of forms, by the IDs of their forms, which may be forms of another tenant. base is the number of the version that the body
-- is edits of, or the version's own.
CREATE TABLE versions (
  form      text COLLATE "C" NOT NULL,
  number    bigint NOT NULL,
  saved     bigint NOT NULL,
  author    text COLLATE "C" NOT NULL,
  author_id text COLLATE "C" NOT NULL,
  summary   text COLLATE "C" NOT NULL,
  note      text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  hash      bytea NOT NULL,
  base      bigint NOT NULL,
  body      bytea NOT NULL,
  PRIMARY KEY (form, number)
);
-- The bodies are compressed.
ALTER TABLE versions ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX versions_by_time ON versions (form, saved, number);

-- +goose Down
DROP TABLE versions;
