-- +goose Up
-- People who signed up by themselves: nobody vouches for their addresses. Those of before were made by
-- administrators, who do.
ALTER TABLE users ADD COLUMN unverified INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE users DROP COLUMN unverified;
