-- +goose Up
-- Times are milliseconds since 1970 in UTC. Lists and maps are JSON. Every text is compared by its bytes, as in Go, whatever
-- the locale of the database: indexes survive an upgrade of the system's locales. Columns named folded contain the searched
-- texts in lower case, one a line; the program writes them, since lower() depends on the locale, too.
CREATE TABLE forms (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      text COLLATE "C" NOT NULL UNIQUE,
  name    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  body    bytea NOT NULL
);
CREATE TABLE flows (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      text COLLATE "C" NOT NULL UNIQUE,
  name    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  body    bytea NOT NULL
);
CREATE TABLE clients (
  id              text COLLATE "C" PRIMARY KEY,
  name            text COLLATE "C" NOT NULL,
  description     text COLLATE "C" NOT NULL,
  app_type        text COLLATE "C" NOT NULL,
  auth_method     text COLLATE "C" NOT NULL,
  secret_hash     bytea,
  public          boolean NOT NULL,
  first_party     boolean NOT NULL,
  global          boolean NOT NULL,
  grant_types     jsonb NOT NULL,
  callbacks       jsonb NOT NULL,
  logout_urls     jsonb NOT NULL,
  created         bigint NOT NULL,
  secret_since    bigint NOT NULL,
  backchannel_uri text COLLATE "C" NOT NULL,
  require_pushed  boolean NOT NULL,
  require_dpop    boolean NOT NULL,
  allowed_origins jsonb NOT NULL,
  web_origins     jsonb NOT NULL,
  folded          text COLLATE "C" NOT NULL,
  folded_name     text COLLATE "C" NOT NULL
);
CREATE INDEX clients_created ON clients (created, id);
-- A browser asks before it says for which client, so origins are also found by themselves.
CREATE INDEX clients_allowed_origins ON clients USING gin (allowed_origins);
CREATE INDEX clients_web_origins ON clients USING gin (web_origins);
CREATE TABLE apis (
  id            text COLLATE "C" PRIMARY KEY,
  identifier    text COLLATE "C" NOT NULL UNIQUE,
  name          text COLLATE "C" NOT NULL,
  scopes        jsonb NOT NULL,
  scope_texts   jsonb NOT NULL,
  user_policy   text COLLATE "C" NOT NULL,
  client_policy text COLLATE "C" NOT NULL,
  inactive      boolean NOT NULL,
  folded        text COLLATE "C" NOT NULL,
  folded_name   text COLLATE "C" NOT NULL
);
CREATE INDEX apis_name ON apis (name, id);
CREATE TABLE client_grants (
  id        text COLLATE "C" PRIMARY KEY,
  client_id text COLLATE "C" NOT NULL REFERENCES clients ON DELETE CASCADE,
  api_id    text COLLATE "C" NOT NULL REFERENCES apis ON DELETE CASCADE,
  subject   text COLLATE "C" NOT NULL,
  scopes    jsonb NOT NULL,
  UNIQUE (client_id, api_id, subject)
);
CREATE INDEX client_grants_api ON client_grants (api_id);
CREATE TABLE users (
  id            text COLLATE "C" PRIMARY KEY,
  email         text COLLATE "C" NOT NULL UNIQUE,
  name          text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C" NOT NULL,
  created       bigint NOT NULL,
  blocked       boolean NOT NULL DEFAULT false,
  unverified    boolean NOT NULL,
  folded        text COLLATE "C" NOT NULL
);
CREATE INDEX users_created ON users (created, id);
CREATE TABLE permissions (
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  api_id  text COLLATE "C" NOT NULL REFERENCES apis ON DELETE CASCADE,
  scope   text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, api_id, scope)
);
CREATE INDEX permissions_api ON permissions (api_id, scope);
CREATE TABLE roles (
  id          text COLLATE "C" PRIMARY KEY,
  name        text COLLATE "C" NOT NULL UNIQUE,
  description text COLLATE "C" NOT NULL,
  preset      boolean NOT NULL,
  created     bigint NOT NULL,
  folded      text COLLATE "C" NOT NULL
);
CREATE TABLE role_permissions (
  role_id text COLLATE "C" NOT NULL REFERENCES roles ON DELETE CASCADE,
  api_id  text COLLATE "C" NOT NULL REFERENCES apis ON DELETE CASCADE,
  scope   text COLLATE "C" NOT NULL,
  PRIMARY KEY (role_id, api_id, scope)
);
CREATE INDEX role_permissions_api ON role_permissions (api_id, scope);
CREATE TABLE user_roles (
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  role_id text COLLATE "C" NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (user_id, role_id)
);
CREATE INDEX user_roles_role ON user_roles (role_id);
CREATE TABLE tickets (
  hash    bytea PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  expires bigint NOT NULL,
  issuer  text COLLATE "C" NOT NULL
);
CREATE INDEX tickets_user ON tickets (user_id);
CREATE INDEX tickets_expires ON tickets (expires);
-- used is 0 until the first use.
CREATE TABLE methods (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      text COLLATE "C" NOT NULL UNIQUE,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  type    text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  key     bytea UNIQUE,
  data    bytea NOT NULL,
  count   bigint NOT NULL,
  created bigint NOT NULL,
  used    bigint NOT NULL DEFAULT 0
);
CREATE INDEX methods_user ON methods (user_id);
CREATE TABLE sign_ins (
  hash       bytea PRIMARY KEY,
  id         text COLLATE "C" NOT NULL UNIQUE,
  user_id    text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  auth_time  bigint NOT NULL,
  amr        jsonb NOT NULL,
  expires    bigint NOT NULL,
  issuer     text COLLATE "C" NOT NULL,
  user_agent text COLLATE "C" NOT NULL,
  ip         text COLLATE "C" NOT NULL
);
CREATE INDEX sign_ins_user ON sign_ins (user_id);
CREATE INDEX sign_ins_expires ON sign_ins (expires);
CREATE TABLE families (
  id         text COLLATE "C" PRIMARY KEY,
  client_id  text COLLATE "C" NOT NULL REFERENCES clients ON DELETE CASCADE,
  user_id    text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  sign_in_id text COLLATE "C" NOT NULL,
  auth_time  bigint NOT NULL,
  acr        text COLLATE "C" NOT NULL,
  amr        jsonb NOT NULL,
  audience   text COLLATE "C" NOT NULL,
  scope      jsonb NOT NULL,
  expires    bigint NOT NULL,
  revoked    boolean NOT NULL DEFAULT false,
  issuer     text COLLATE "C" NOT NULL,
  user_agent text COLLATE "C" NOT NULL,
  ip         text COLLATE "C" NOT NULL
);
CREATE INDEX families_person ON families (user_id, client_id);
CREATE INDEX families_client ON families (client_id);
CREATE INDEX families_expires ON families (expires);
CREATE TABLE codes (
  hash         bytea PRIMARY KEY,
  family_id    text COLLATE "C" NOT NULL REFERENCES families ON DELETE CASCADE,
  redirect_uri text COLLATE "C" NOT NULL,
  challenge    text COLLATE "C" NOT NULL,
  nonce        text COLLATE "C" NOT NULL,
  dpop_key     text COLLATE "C" NOT NULL,
  expires      bigint NOT NULL,
  uses         bigint NOT NULL DEFAULT 0
);
CREATE INDEX codes_family ON codes (family_id);
CREATE TABLE refresh_tokens (
  hash      bytea PRIMARY KEY,
  family_id text COLLATE "C" NOT NULL REFERENCES families ON DELETE CASCADE,
  dpop_key  text COLLATE "C" NOT NULL,
  expires   bigint NOT NULL,
  used      boolean NOT NULL DEFAULT false
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
-- A family has one token that is not used yet, from its first token to its end.
CREATE UNIQUE INDEX refresh_tokens_current ON refresh_tokens (family_id) WHERE NOT used;
CREATE TABLE consents (
  id        text COLLATE "C" NOT NULL UNIQUE,
  user_id   text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  client_id text COLLATE "C" NOT NULL REFERENCES clients ON DELETE CASCADE,
  audience  text COLLATE "C" NOT NULL,
  scope     jsonb NOT NULL,
  given     bigint NOT NULL,
  PRIMARY KEY (user_id, client_id, audience)
);
CREATE INDEX consents_client ON consents (client_id);
CREATE TABLE pushed_requests (
  hash      bytea PRIMARY KEY,
  client_id text COLLATE "C" NOT NULL REFERENCES clients ON DELETE CASCADE,
  query     text COLLATE "C" NOT NULL,
  opened    boolean NOT NULL DEFAULT false,
  expires   bigint NOT NULL,
  issuer    text COLLATE "C" NOT NULL
);
CREATE INDEX pushed_requests_expires ON pushed_requests (expires);
-- Of a client only the newest requests are kept; they are found by client.
CREATE INDEX pushed_requests_client ON pushed_requests (client_id, opened, expires);
CREATE TABLE auth_sessions (
  hash      bytea PRIMARY KEY,
  purpose   text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL REFERENCES clients ON DELETE CASCADE,
  user_id   text COLLATE "C" NOT NULL,
  data      bytea,
  expires   bigint NOT NULL,
  issuer    text COLLATE "C" NOT NULL
);
CREATE INDEX auth_sessions_client ON auth_sessions (client_id);
CREATE INDEX auth_sessions_expires ON auth_sessions (expires);
CREATE TABLE marks (
  name  text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);
-- No references: the log outlives the people and the clients that it names.
CREATE TABLE events (
  seq         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          bigint NOT NULL,
  type        text COLLATE "C" NOT NULL,
  user_id     text COLLATE "C" NOT NULL,
  client_id   text COLLATE "C" NOT NULL,
  address     text COLLATE "C" NOT NULL,
  audience    text COLLATE "C" NOT NULL,
  scope       jsonb NOT NULL,
  description text COLLATE "C" NOT NULL,
  folded      text COLLATE "C" NOT NULL
);
CREATE INDEX events_at ON events (at);
-- Proofs of possession that were used, by all replicas: RFC 9449, section 11.1. The id is a hash.
CREATE TABLE proofs (
  id   bytea PRIMARY KEY,
  ends bigint NOT NULL
);
CREATE INDEX proofs_ends ON proofs (ends);
-- Sessions of the backend-for-frontend. Data is sealed. person and sign_in are keyed hashes by which a back-channel logout
-- finds sessions.
CREATE TABLE sessions (
  id          bytea PRIMARY KEY,
  data        bytea NOT NULL,
  version     bigint NOT NULL,
  created     bigint NOT NULL,
  seen        bigint NOT NULL,
  lease_owner text COLLATE "C" NOT NULL DEFAULT '',
  lease_until bigint NOT NULL DEFAULT 0,
  person      bytea,
  sign_in     bytea
);
CREATE INDEX sessions_created ON sessions (created);
CREATE INDEX sessions_seen ON sessions (seen);
CREATE INDEX sessions_person ON sessions (person);
CREATE INDEX sessions_sign_in ON sessions (sign_in);

-- +goose Down
DROP TABLE sessions, proofs, events, marks, auth_sessions, pushed_requests, consents, refresh_tokens, codes, families, sign_ins,
  methods, tickets, user_roles, role_permissions, roles, permissions, users, client_grants, apis, clients, flows, forms;
