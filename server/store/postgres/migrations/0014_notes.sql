-- +goose Up
-- Notes on the canvas, kept beside forms like scenarios.
CREATE TABLE notes (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant  text COLLATE "C" NOT NULL DEFAULT '',
  id      text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  body    bytea NOT NULL,
  UNIQUE (tenant, id)
);

-- +goose Down
DROP TABLE notes;
