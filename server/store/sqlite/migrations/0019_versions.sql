-- +goose Up
-- Saved versions of forms, by the IDs of their forms, which may be forms of another tenant. base is the number of the version that the body
-- is edits of, or the version's own.
CREATE TABLE versions (
  form      TEXT NOT NULL,
  number    INTEGER NOT NULL,
  saved     INTEGER NOT NULL,
  author    TEXT NOT NULL,
  author_id TEXT NOT NULL,
  summary   TEXT NOT NULL,
  note      TEXT NOT NULL,
  name      TEXT NOT NULL,
  hash      BLOB NOT NULL,
  base      INTEGER NOT NULL,
  body      BLOB NOT NULL,
  PRIMARY KEY (form, number)
);
CREATE INDEX versions_by_time ON versions (form, saved, number);

-- +goose Down
DROP TABLE versions;
