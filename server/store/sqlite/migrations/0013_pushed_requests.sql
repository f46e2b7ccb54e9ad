-- +goose Up
-- Of a client only the newest requests are kept; they are found by client.
CREATE INDEX pushed_requests_client ON pushed_requests(client_id, opened, expires);

-- +goose Down
DROP INDEX pushed_requests_client;
