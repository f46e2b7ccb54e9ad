-- +goose Up
-- Counts of requests and failures that replicas share. They may be lost in a crash, so they are written to no log. No index is on ends: an
-- update of a row must not update an index.
CREATE UNLOGGED TABLE counters (
    key bytea PRIMARY KEY,  -- SHA-256 of the key
    level bigint NOT NULL,  -- of a bucket: when it is full again, as ends; otherwise the number of failures
    ends bigint NOT NULL    -- microseconds since 1970, after which the row has expired
) WITH (fillfactor = 50);

-- +goose Down
DROP TABLE counters;
