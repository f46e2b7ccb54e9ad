-- +goose Up
-- The session to which a page belongs, as a hash: another one does not speak for the page.
ALTER TABLE presences ADD COLUMN owner TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE presences DROP COLUMN owner;
