-- What a tool was approved with beside its definition, as JSON: how it was signed, and which server listed it.
ALTER TABLE pins ADD COLUMN particulars TEXT NOT NULL DEFAULT '{}';

-- Definitions that servers have listed, approved or not, as they came. They decide nothing.
CREATE TABLE sights (
    id INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    definition TEXT NOT NULL,
    particulars TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    is_listed INTEGER NOT NULL CHECK (is_listed IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX one_sight_of_a_definition ON sights (server, tool, hash);

-- Keys of those who sign definitions of tools, and what is said of each: that it is trusted, for what, or revoked.
CREATE TABLE signers (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    public TEXT NOT NULL,
    name TEXT NOT NULL,
    allowance TEXT NOT NULL,
    trust TEXT NOT NULL CHECK (trust IN ('trusted', 'revoked')),
    since INTEGER NOT NULL,
    said_by TEXT NOT NULL,
    replaced INTEGER,
    replaced_by TEXT,
    CHECK ((replaced IS NULL) = (replaced_by IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_word_on_a_key ON signers (key) WHERE replaced IS NULL;

-- The form of the file, beside what every commit reads anyway. Whatever brings a file to another form sets this too.
ALTER TABLE state ADD COLUMN form INTEGER NOT NULL DEFAULT 2;

-- Between which entries those of a session lie. An index would be one more page to write for every call.
ALTER TABLE sessions ADD COLUMN first_entry INTEGER;
ALTER TABLE sessions ADD COLUMN last_entry INTEGER;
UPDATE sessions SET
    first_entry = (SELECT min(sequence) FROM audit WHERE audit.session = sessions.id),
    last_entry = (SELECT max(sequence) FROM audit WHERE audit.session = sessions.id);
DROP INDEX audit_of_session;
