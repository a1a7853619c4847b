-- Identity providers whose tokens may vouch for definitions, and what is said of each.
CREATE TABLE issuers (
    id INTEGER PRIMARY KEY,
    issuer TEXT NOT NULL,
    particulars TEXT NOT NULL,
    trust TEXT NOT NULL CHECK (trust IN ('trusted', 'revoked')),
    since INTEGER NOT NULL,
    said_by TEXT NOT NULL,
    replaced INTEGER,
    replaced_by TEXT,
    CHECK ((replaced IS NULL) = (replaced_by IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_word_on_an_issuer ON issuers (issuer) WHERE replaced IS NULL;

-- Trust bundles, each by the key that signs it. Every version that was taken stays here, also after it was replaced or removed, so
-- that no older one is ever taken; its text does not.
CREATE TABLE bundles (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    public TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    text TEXT NOT NULL,
    version INTEGER NOT NULL,
    content BLOB NOT NULL CHECK (length(content) = 32),
    taken INTEGER NOT NULL,
    said_by TEXT NOT NULL,
    replaced INTEGER,
    replaced_by TEXT,
    CHECK ((replaced IS NULL) = (replaced_by IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_bundle_of_a_key ON bundles (key) WHERE replaced IS NULL;
CREATE INDEX versions_of_a_bundle ON bundles (key, version);

-- What was fetched last from an address, and how the last try ended.
CREATE TABLE fetches (
    address TEXT PRIMARY KEY,
    content TEXT,
    got INTEGER,
    tried INTEGER NOT NULL,
    trouble TEXT,
    CHECK ((content IS NULL) = (got IS NULL))
) STRICT;

UPDATE state SET form = 3;
