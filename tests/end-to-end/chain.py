"""The audit log checked by somebody who has nothing but the file: no code is shared with the program."""

import hashlib
import sqlite3


def digest(purpose, *fields):
    """SHA-256 of fields, each behind its length."""
    hasher = hashlib.sha256()
    for field in (purpose.encode(), *fields):
        hasher.update(len(field).to_bytes(8, "big"))
        hasher.update(field)
    return hasher.digest()


def check(path):
    """Walks along the log, and returns how many entries it has. What is wrong is an AssertionError."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        [chain, end, head] = store.execute("SELECT chain, sequence, hash FROM state").fetchone()
        previous, expected = digest("portcullis audit chain 1", chain), 0
        rows = store.execute("SELECT sequence, time, session, kind, body, previous, hash FROM audit ORDER BY sequence")
        for sequence, time, session, kind, body, before, kept in rows:
            expected += 1
            assert sequence == expected, f"entry {expected} is missing"
            assert before == previous, f"entry {sequence} does not follow the one before"
            fields = (sequence.to_bytes(8, "big"), time.to_bytes(8, "big", signed=True))
            texts = ((session or "").encode(), kind.encode(), body.encode())
            assert kept == digest("portcullis audit entry 1", before, *fields, *texts), f"entry {sequence} was changed"
            previous = kept
        assert (end, head) == (expected, previous), "the recorded end is not the end"
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return expected
    finally:
        store.close()
