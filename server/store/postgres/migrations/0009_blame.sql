-- +goose Up
-- Whether a version was saved as the form was edited, and which elements it changed; empty if that is not known.
ALTER TABLE versions ADD COLUMN automatic boolean NOT NULL DEFAULT false;
ALTER TABLE versions ADD COLUMN changed bytea NOT NULL DEFAULT '';
-- Settings of forms that hold for the whole team, by the IDs of their forms, which may be forms of another tenant.
CREATE TABLE settings (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id      text COLLATE "C" NOT NULL UNIQUE,
  name    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  body    bytea NOT NULL
);

-- +goose Down
DROP TABLE settings;
ALTER TABLE versions DROP COLUMN changed;
ALTER TABLE versions DROP COLUMN automatic;
