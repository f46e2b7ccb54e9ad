-- +goose Up
-- Lists begin behind a row without reading those before it.
CREATE INDEX users_created ON users(created, id);
CREATE INDEX clients_created ON clients(created, id);
CREATE INDEX apis_name ON apis(name, id);

-- +goose Down
DROP INDEX apis_name;
DROP INDEX clients_created;
DROP INDEX users_created;
