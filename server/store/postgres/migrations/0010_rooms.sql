-- +goose Up
-- Shared forms of people who edit a form together, and their changes since the number of the body.
CREATE TABLE rooms (
  form   text COLLATE "C" NOT NULL PRIMARY KEY,
  id     text COLLATE "C" NOT NULL UNIQUE,
  number bigint NOT NULL,
  body   bytea NOT NULL,
  etag   text COLLATE "C" NOT NULL,
  used   bigint NOT NULL
);
-- A room that is closed takes its entries along, whoever adds one at that moment.
CREATE TABLE room_entries (
  room   text COLLATE "C" NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  number bigint NOT NULL,
  body   bytea NOT NULL,
  PRIMARY KEY (room, number)
);
-- Pages that have a form open.
CREATE TABLE presences (
  form    text COLLATE "C" NOT NULL,
  page    text COLLATE "C" NOT NULL,
  process text COLLATE "C" NOT NULL,
  sub     text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  state   bytea NOT NULL,
  since   bigint NOT NULL,
  seen    bigint NOT NULL,
  PRIMARY KEY (form, page)
);
CREATE INDEX presences_by_process ON presences (process);

-- +goose Down
DROP TABLE presences;
DROP TABLE room_entries;
DROP TABLE rooms;
