-- +goose Up
-- Files of scenarios, by the IDs of their forms, which may be forms of another tenant.
CREATE TABLE scenarios (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      text COLLATE "C" NOT NULL UNIQUE,
  name    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  body    bytea NOT NULL
);

-- +goose Down
DROP TABLE scenarios;
