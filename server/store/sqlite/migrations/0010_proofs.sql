-- +goose Up
-- Proofs of possession that were used, by all replicas: RFC 9449, section 11.1. The id is a hash; the second
-- index finds those that ended.
CREATE TABLE proofs (
  id   BLOB PRIMARY KEY,
  ends INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX proofs_ends ON proofs (ends);

-- +goose Down
DROP TABLE proofs;
