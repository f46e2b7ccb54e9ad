-- +goose Up
-- Files that name of which source each translation was made, by the IDs of their forms, which may be forms of another tenant.
CREATE TABLE sources (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      text COLLATE "C" NOT NULL UNIQUE,
  name    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  body    bytea NOT NULL
);

-- +goose Down
DROP TABLE sources;
