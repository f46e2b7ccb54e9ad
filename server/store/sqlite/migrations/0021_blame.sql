-- +goose Up
-- Whether a version was saved as the form was edited, and which elements it changed; empty if that is not known.
ALTER TABLE versions ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN changed BLOB NOT NULL DEFAULT x'';
-- Settings of forms that hold for the whole team, by the IDs of their forms, which may be forms of another tenant.
CREATE TABLE settings (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL
);

-- +goose Down
DROP TABLE settings;
ALTER TABLE versions DROP COLUMN changed;
ALTER TABLE versions DROP COLUMN automatic;
