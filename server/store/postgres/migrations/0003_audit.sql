-- +goose Up
-- The audit log. Entries are added at its end, and read and deleted from its beginning.
CREATE TABLE audit (
    at         bigint NOT NULL,
    id         text COLLATE "C" NOT NULL,
    source     text COLLATE "C" NOT NULL,
    event      text COLLATE "C" NOT NULL,
    issuer     text COLLATE "C" NOT NULL,
    subject    text COLLATE "C" NOT NULL,
    email      text COLLATE "C" NOT NULL,
    client_id  text COLLATE "C" NOT NULL,
    object     text COLLATE "C" NOT NULL,
    object_id  text COLLATE "C" NOT NULL,
    detail     text COLLATE "C" NOT NULL,
    before     text COLLATE "C" NOT NULL,
    after      text COLLATE "C" NOT NULL,
    outcome    text COLLATE "C" NOT NULL,
    status     bigint NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    address    text COLLATE "C" NOT NULL,
    PRIMARY KEY (at, id)
);

-- +goose Down
DROP TABLE audit;
