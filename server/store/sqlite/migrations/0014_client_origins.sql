-- +goose Up
-- The origins whose pages may call the tenant for a client. They are lists of the client as its addresses are.
ALTER TABLE clients ADD COLUMN allowed_origins TEXT NOT NULL DEFAULT '[]';
ALTER TABLE clients ADD COLUMN web_origins TEXT NOT NULL DEFAULT '[]';

-- A browser asks before it says for which client, so origins are also found by themselves. The lists of the
-- clients decide; the triggers keep this index in step with them.
CREATE TABLE client_origins (
  origin    TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES clients(id) ON DELETE CASCADE,
  PRIMARY KEY (origin, client_id)
) WITHOUT ROWID;
CREATE INDEX client_origins_client ON client_origins(client_id);

-- +goose StatementBegin
CREATE TRIGGER clients_insert_origins AFTER INSERT ON clients BEGIN
  INSERT INTO client_origins SELECT value, NEW.id FROM json_each(NEW.allowed_origins)
    UNION SELECT value, NEW.id FROM json_each(NEW.web_origins);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER clients_update_origins AFTER UPDATE OF allowed_origins, web_origins ON clients BEGIN
  DELETE FROM client_origins WHERE client_id = NEW.id;
  INSERT INTO client_origins SELECT value, NEW.id FROM json_each(NEW.allowed_origins)
    UNION SELECT value, NEW.id FROM json_each(NEW.web_origins);
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER clients_update_origins;
DROP TRIGGER clients_insert_origins;
DROP TABLE client_origins;
ALTER TABLE clients DROP COLUMN web_origins;
ALTER TABLE clients DROP COLUMN allowed_origins;
