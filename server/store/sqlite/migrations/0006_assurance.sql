-- +goose Up
-- How people proved who they are: claims amr and acr. Until now a browser was signed in by a password
-- only; of what older authorizations came of nothing is known. Lists of words are JSON arrays.
ALTER TABLE sign_ins ADD COLUMN amr TEXT NOT NULL DEFAULT '["pwd"]';
ALTER TABLE families ADD COLUMN acr TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN amr TEXT NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE families DROP COLUMN amr;
ALTER TABLE families DROP COLUMN acr;
ALTER TABLE sign_ins DROP COLUMN amr;
