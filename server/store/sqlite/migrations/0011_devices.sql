-- +goose Up
-- From where people signed in, so that they know a sign-in again: what the browser or the application called
-- itself, and its address. Empty for what is older.
ALTER TABLE sign_ins ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
ALTER TABLE sign_ins ADD COLUMN ip TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN ip TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE families DROP COLUMN ip;
ALTER TABLE families DROP COLUMN user_agent;
ALTER TABLE sign_ins DROP COLUMN ip;
ALTER TABLE sign_ins DROP COLUMN user_agent;
