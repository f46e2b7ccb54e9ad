-- +goose Up
-- What is kept beside forms is kept by the tenant, too: the address of its management API, empty for the embedded tenant. Rows from before
-- are those of the embedded tenant until the remote tenant whose forms they are about adopts them. SQLite changes a key only with a new table.
CREATE TABLE versions_new (
  tenant    TEXT NOT NULL DEFAULT '',
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
  automatic INTEGER NOT NULL DEFAULT 0,
  changed   BLOB NOT NULL DEFAULT x'',
  PRIMARY KEY (tenant, form, number)
);
INSERT INTO versions_new SELECT '', form, number, saved, author, author_id, summary, note, name, hash, base, body, automatic, changed FROM versions;
DROP TABLE versions;
ALTER TABLE versions_new RENAME TO versions;
CREATE INDEX versions_by_time ON versions (tenant, form, saved, number);
CREATE TABLE rooms_new (
  tenant TEXT NOT NULL DEFAULT '',
  form   TEXT NOT NULL,
  id     TEXT NOT NULL UNIQUE,
  number INTEGER NOT NULL,
  body   BLOB NOT NULL,
  etag   TEXT NOT NULL,
  used   INTEGER NOT NULL,
  PRIMARY KEY (tenant, form)
);
INSERT INTO rooms_new SELECT '', form, id, number, body, etag, used FROM rooms;
DROP TABLE rooms;
ALTER TABLE rooms_new RENAME TO rooms;
CREATE TABLE presences_new (
  tenant  TEXT NOT NULL DEFAULT '',
  form    TEXT NOT NULL,
  page    TEXT NOT NULL,
  process TEXT NOT NULL,
  sub     TEXT NOT NULL,
  name    TEXT NOT NULL,
  state   BLOB NOT NULL,
  since   INTEGER NOT NULL,
  seen    INTEGER NOT NULL,
  owner   TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, form, page)
) WITHOUT ROWID;
INSERT INTO presences_new SELECT '', form, page, process, sub, name, state, since, seen, owner FROM presences;
DROP TABLE presences;
ALTER TABLE presences_new RENAME TO presences;
CREATE INDEX presences_by_process ON presences (process);
CREATE TABLE scenarios_new (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL DEFAULT '',
  id      TEXT NOT NULL,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL,
  UNIQUE (tenant, id)
);
INSERT INTO scenarios_new SELECT seq, '', id, name, created, updated, body FROM scenarios;
DELETE FROM sqlite_sequence WHERE name = 'scenarios_new';
INSERT INTO sqlite_sequence (name, seq) SELECT 'scenarios_new', seq FROM sqlite_sequence WHERE name = 'scenarios';
DROP TABLE scenarios;
ALTER TABLE scenarios_new RENAME TO scenarios;
CREATE TABLE sources_new (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL DEFAULT '',
  id      TEXT NOT NULL,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL,
  UNIQUE (tenant, id)
);
INSERT INTO sources_new SELECT seq, '', id, name, created, updated, body FROM sources;
DELETE FROM sqlite_sequence WHERE name = 'sources_new';
INSERT INTO sqlite_sequence (name, seq) SELECT 'sources_new', seq FROM sqlite_sequence WHERE name = 'sources';
DROP TABLE sources;
ALTER TABLE sources_new RENAME TO sources;
CREATE TABLE settings_new (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL DEFAULT '',
  id      TEXT NOT NULL,
  name    TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  body    BLOB NOT NULL,
  UNIQUE (tenant, id)
);
INSERT INTO settings_new SELECT seq, '', id, name, created, updated, body FROM settings;
DELETE FROM sqlite_sequence WHERE name = 'settings_new';
INSERT INTO sqlite_sequence (name, seq) SELECT 'settings_new', seq FROM sqlite_sequence WHERE name = 'settings';
DROP TABLE settings;
ALTER TABLE settings_new RENAME TO settings;
