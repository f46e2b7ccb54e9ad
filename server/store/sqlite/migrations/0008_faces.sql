-- +goose Up
-- At which address of the tenant things were begun: empty for the canonical one, which all was until now,
-- else the custom domain. What goes with a family, codes and refresh tokens, has it from there.
ALTER TABLE sign_ins ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE pushed_requests ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE auth_sessions ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE tickets ADD COLUMN issuer TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE tickets DROP COLUMN issuer;
ALTER TABLE auth_sessions DROP COLUMN issuer;
ALTER TABLE pushed_requests DROP COLUMN issuer;
ALTER TABLE families DROP COLUMN issuer;
ALTER TABLE sign_ins DROP COLUMN issuer;
