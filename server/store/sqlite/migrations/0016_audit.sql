-- +goose Up
-- The audit log. Entries are added at its end, and read and deleted from its beginning.
CREATE TABLE audit (
    at         INTEGER NOT NULL,
    id         TEXT NOT NULL,
    source     TEXT NOT NULL,
    event      TEXT NOT NULL,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    email      TEXT NOT NULL,
    client_id  TEXT NOT NULL,
    object     TEXT NOT NULL,
    object_id  TEXT NOT NULL,
    detail     TEXT NOT NULL,
    before     TEXT NOT NULL,
    after      TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    status     INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    address    TEXT NOT NULL,
    PRIMARY KEY (at, id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE audit;
