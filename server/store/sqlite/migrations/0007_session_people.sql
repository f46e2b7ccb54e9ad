-- +goose Up
-- Of whom a session of the backend-for-frontend is and of which sign-in, as keyed hashes: back-channel
-- logout finds sessions by them. Sessions from before have none.
ALTER TABLE sessions ADD COLUMN person BLOB;
ALTER TABLE sessions ADD COLUMN sign_in BLOB;
CREATE INDEX sessions_person ON sessions (person);
CREATE INDEX sessions_sign_in ON sessions (sign_in);

-- +goose Down
DROP INDEX sessions_sign_in;
DROP INDEX sessions_person;
ALTER TABLE sessions DROP COLUMN sign_in;
ALTER TABLE sessions DROP COLUMN person;
