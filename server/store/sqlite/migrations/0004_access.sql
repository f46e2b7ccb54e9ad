-- +goose Up
-- Access: what an API says of itself, grants with names of their own, blocked people, roles, one-time
-- links and the sign-in log. Times are milliseconds since 1970 in UTC; lists of words are JSON arrays.
ALTER TABLE clients ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE clients ADD COLUMN app_type TEXT NOT NULL DEFAULT '';
ALTER TABLE clients ADD COLUMN auth_method TEXT NOT NULL DEFAULT '';
ALTER TABLE apis ADD COLUMN scope_texts TEXT NOT NULL DEFAULT '{}';
ALTER TABLE apis ADD COLUMN inactive INTEGER NOT NULL DEFAULT 0;
ALTER TABLE client_grants ADD COLUMN id TEXT NOT NULL DEFAULT '';
UPDATE client_grants SET id = 'cgr_' || lower(hex(randomblob(12)));
CREATE UNIQUE INDEX client_grants_id ON client_grants(id);
ALTER TABLE users ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
CREATE TABLE roles (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  preset      INTEGER NOT NULL,
  created     INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE role_permissions (
  role_id TEXT NOT NULL REFERENCES roles(id) ON DELETE CASCADE,
  api_id  TEXT NOT NULL REFERENCES apis(id) ON DELETE CASCADE,
  scope   TEXT NOT NULL,
  PRIMARY KEY (role_id, api_id, scope)
) WITHOUT ROWID;
CREATE TABLE user_roles (
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  role_id TEXT NOT NULL REFERENCES roles(id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, role_id)
) WITHOUT ROWID;
CREATE INDEX user_roles_role ON user_roles(role_id);
CREATE TABLE tickets (
  hash    BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  expires INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tickets_user ON tickets(user_id);
-- No references: the log outlives the people and the clients it speaks of.
CREATE TABLE events (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  type        TEXT NOT NULL,
  user_id     TEXT NOT NULL,
  client_id   TEXT NOT NULL,
  address     TEXT NOT NULL,
  audience    TEXT NOT NULL,
  scope       TEXT NOT NULL,
  description TEXT NOT NULL
);
CREATE INDEX events_at ON events(at);

-- +goose Down
DROP TABLE events;
DROP TABLE tickets;
DROP TABLE user_roles;
DROP TABLE role_permissions;
DROP TABLE roles;
ALTER TABLE users DROP COLUMN blocked;
DROP INDEX client_grants_id;
ALTER TABLE client_grants DROP COLUMN id;
ALTER TABLE apis DROP COLUMN inactive;
ALTER TABLE apis DROP COLUMN scope_texts;
ALTER TABLE clients DROP COLUMN auth_method;
ALTER TABLE clients DROP COLUMN app_type;
ALTER TABLE clients DROP COLUMN description;
