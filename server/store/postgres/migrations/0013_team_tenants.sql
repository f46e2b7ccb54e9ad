-- +goose Up
-- What is kept beside forms is kept by the tenant, too: the address of its management API, empty for the embedded tenant. Rows from before
-- are those of the embedded tenant until the remote tenant whose forms they are about adopts them.
ALTER TABLE versions ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE versions DROP CONSTRAINT versions_pkey, ADD PRIMARY KEY (tenant, form, number);
DROP INDEX versions_by_time;
CREATE INDEX versions_by_time ON versions (tenant, form, saved, number);
ALTER TABLE rooms ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rooms DROP CONSTRAINT rooms_pkey, ADD PRIMARY KEY (tenant, form);
ALTER TABLE presences ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE presences DROP CONSTRAINT presences_pkey, ADD PRIMARY KEY (tenant, form, page);
ALTER TABLE scenarios ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE scenarios DROP CONSTRAINT scenarios_id_key, ADD UNIQUE (tenant, id);
ALTER TABLE sources ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE sources DROP CONSTRAINT sources_id_key, ADD UNIQUE (tenant, id);
ALTER TABLE settings ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE settings DROP CONSTRAINT settings_id_key, ADD UNIQUE (tenant, id);
