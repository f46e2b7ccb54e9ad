-- +goose Up
-- The messages of topics, for about an hour. They survive a crash of the server: who has read one message must not miss those before it.
-- The row of a topic orders its messages: whoever adds one holds the row until the commit.
CREATE TABLE topics (
    name text COLLATE "C" PRIMARY KEY,
    last bigint NOT NULL  -- the number of the last message
) WITH (fillfactor = 50);

CREATE TABLE messages (
    topic  text COLLATE "C" NOT NULL,
    number bigint NOT NULL,  -- microseconds since 1970
    kind   text COLLATE "C" NOT NULL,
    data   bytea NOT NULL,
    PRIMARY KEY (topic, number)
);
CREATE INDEX messages_number ON messages (number);

-- +goose Down
DROP TABLE messages;
DROP TABLE topics;
