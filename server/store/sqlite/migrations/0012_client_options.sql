-- +goose Up
-- How a client takes part in token flows is of the client: it is asked at every request for a token.
ALTER TABLE clients ADD COLUMN backchannel_uri TEXT NOT NULL DEFAULT '';
ALTER TABLE clients ADD COLUMN require_pushed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clients ADD COLUMN require_dpop INTEGER NOT NULL DEFAULT 0;
UPDATE clients SET backchannel_uri = o.backchannel_uri, require_pushed = o.require_pushed, require_dpop = o.require_dpop
  FROM client_options o WHERE o.client_id = clients.id;
DROP TABLE client_options;

-- +goose Down
CREATE TABLE client_options (
  client_id       TEXT PRIMARY KEY REFERENCES clients(id) ON DELETE CASCADE,
  backchannel_uri TEXT NOT NULL,
  require_pushed  INTEGER NOT NULL,
  require_dpop    INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO client_options SELECT id, backchannel_uri, require_pushed, require_dpop FROM clients;
ALTER TABLE clients DROP COLUMN require_dpop;
ALTER TABLE clients DROP COLUMN require_pushed;
ALTER TABLE clients DROP COLUMN backchannel_uri;
