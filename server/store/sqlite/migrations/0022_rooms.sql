-- +goose Up
-- Shared forms of people who edit a form together, and their changes since the number of the body.
CREATE TABLE rooms (
  form   TEXT NOT NULL PRIMARY KEY,
  id     TEXT NOT NULL UNIQUE,
  number INTEGER NOT NULL,
  body   BLOB NOT NULL,
  etag   TEXT NOT NULL,
  used   INTEGER NOT NULL
);
CREATE TABLE room_entries (
  room   TEXT NOT NULL,
  number INTEGER NOT NULL,
  body   BLOB NOT NULL,
  PRIMARY KEY (room, number)
) WITHOUT ROWID;
-- Pages that have a form open.
CREATE TABLE presences (
  form    TEXT NOT NULL,
  page    TEXT NOT NULL,
  process TEXT NOT NULL,
  sub     TEXT NOT NULL,
  name    TEXT NOT NULL,
  state   BLOB NOT NULL,
  since   INTEGER NOT NULL,
  seen    INTEGER NOT NULL,
  PRIMARY KEY (form, page)
) WITHOUT ROWID;
CREATE INDEX presences_by_process ON presences (process);

-- +goose Down
DROP TABLE presences;
DROP TABLE room_entries;
DROP TABLE rooms;
