-- Times are microseconds since 1970. Numbers of rules, invariants, pins, questions and approvals are never given again,
-- for none of these is ever deleted.

-- The one row about the whole: which audit chain it is, where the chain ends, and how often the policy was changed.
CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    chain BLOB NOT NULL CHECK (length(chain) = 16),
    sequence INTEGER NOT NULL CHECK (sequence >= 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    policy INTEGER NOT NULL CHECK (policy >= 0)
) STRICT;

CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    time INTEGER NOT NULL,
    session TEXT,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    previous BLOB NOT NULL CHECK (length(previous) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX audit_of_session ON audit (session, sequence) WHERE session IS NOT NULL;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'entries of the audit log are not changed'); END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
    BEGIN SELECT raise(ABORT, 'entries of the audit log are not removed'); END;
-- Without this, INSERT OR REPLACE would change an entry and wake neither of the other two.
CREATE TRIGGER audit_is_appended_to BEFORE INSERT ON audit
    WHEN NEW.sequence <= (SELECT max(sequence) FROM audit)
    BEGIN SELECT raise(ABORT, 'entries of the audit log are appended at its end'); END;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    workspace TEXT NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL,
    started INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    version INTEGER NOT NULL,
    step INTEGER NOT NULL,
    ended INTEGER,
    ended_why TEXT CHECK (ended_why IN ('command', 'idle')),
    CHECK ((ended IS NULL) = (ended_why IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_session ON sessions (workspace, user, host) WHERE ended IS NULL;

CREATE TABLE workspaces (
    name TEXT PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT;

-- A part that was removed keeps its row, without content, so that whoever has it in memory finds out.
CREATE TABLE parts (
    kind TEXT NOT NULL CHECK (kind IN ('session', 'workspace')),
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    content BLOB,
    UNIQUE (kind, owner, name)
) STRICT;

CREATE TABLE rules (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    session TEXT REFERENCES sessions (id),
    expires INTEGER,
    uses_left INTEGER CHECK (uses_left >= 0),
    grantor TEXT NOT NULL,
    reason TEXT NOT NULL,
    created INTEGER NOT NULL,
    last_used INTEGER,
    revoked INTEGER,
    revoked_by TEXT,
    CHECK ((revoked IS NULL) = (revoked_by IS NULL))
) STRICT;

CREATE TABLE invariants (
    id INTEGER PRIMARY KEY,
    sentence TEXT NOT NULL,
    datalog TEXT NOT NULL,
    author TEXT NOT NULL,
    created INTEGER NOT NULL,
    removed INTEGER,
    removed_by TEXT,
    CHECK ((removed IS NULL) = (removed_by IS NULL))
) STRICT;

CREATE TABLE pins (
    id INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    definition TEXT NOT NULL,
    state TEXT NOT NULL,
    approved INTEGER NOT NULL,
    approver TEXT NOT NULL,
    replaced INTEGER,
    replaced_by TEXT,
    CHECK ((replaced IS NULL) = (replaced_by IS NULL))
) STRICT;
CREATE INDEX pins_of_tool ON pins (server, tool);
CREATE UNIQUE INDEX one_pin_in_force ON pins (server, tool) WHERE replaced IS NULL;

CREATE TABLE questions (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id),
    key BLOB NOT NULL CHECK (length(key) = 32),
    body TEXT,
    keep TEXT NOT NULL CHECK (keep IN ('until_closed', 'always')),
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    waiting INTEGER NOT NULL CHECK (waiting >= 0),
    status TEXT NOT NULL CHECK (status IN ('open', 'answered', 'expired', 'withdrawn')),
    answer TEXT,
    channel TEXT,
    answered INTEGER,
    CHECK ((status = 'answered') = (answer IS NOT NULL AND channel IS NOT NULL AND answered IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_question ON questions (session, key) WHERE status = 'open';

CREATE TABLE approvals (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id),
    binding BLOB NOT NULL CHECK (length(binding) = 32),
    granted INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    grantor TEXT NOT NULL,
    used INTEGER
) STRICT;
CREATE INDEX approvals_to_use ON approvals (session, binding) WHERE used IS NULL;
