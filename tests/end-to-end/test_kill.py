"""The gateway may be killed at any moment: what reached a server was recorded before, and the store stays whole."""

import json
import os
import random
import sqlite3
import time
import unittest

import chain
from harness import FORMS, Case, scripted, text_of

SEED = int(os.environ.get("END_TO_END_SEED", "20261115"))
SETTINGS = "[asking]\nwait = 20\n[audit]\nkeep_arguments = true\n"


class Killed(Case):
    def setUp(self):
        super().setUp()
        self.place.settings(SETTINGS)
        self.random = random.Random(SEED)
        self.record = self.place.root / "record"

    def begin(self):
        peer = self.peer(scripted("behaves", self.record))
        peer.begin(FORMS)
        peer.choose("session-1")
        return peer

    def check(self):
        """Every call that reached the server stands in the log as permitted, and nothing in the log was lost."""
        chain.check(self.place.state / "portcullis.db")
        self.place.command("audit", "verify")
        permitted = [v["arguments"]["text"] for v in self.place.audit("verdict") if v["decision"] == "permit"]
        reached = []
        if self.record.exists():
            reached = [json.loads(line)["text"] for line in self.record.read_text().splitlines()]
        self.assertEqual(sorted(set(reached) - set(permitted)), [])
        self.assertEqual(len(set(reached)), len(reached))
        return len(reached), len(permitted)

    def test_while_calls_are_made(self):
        reached = 0
        for turn in range(8):
            peer = self.begin()
            self.assertIn(f"noted {turn} first", text_of(peer.call("note", {"text": f"{turn} first"})))
            for number in range(150):
                peer.request("tools/call", {"name": "note", "arguments": {"text": f"{turn} {number}"}})
            time.sleep(self.random.uniform(0, 0.4))
            peer.kill()
            count, _ = self.check()
            self.assertGreater(count, reached)
            reached = count
        self.assertEqual(len(self.place.sessions()), 1)

    def test_while_another_gateway_of_the_session_goes_on(self):
        other = self.begin()
        other.call("note", {"text": "other first"})
        for turn in range(4):
            peer = self.begin()
            for number in range(50):
                peer.request("tools/call", {"name": "note", "arguments": {"text": f"{turn} {number}"}})
                other.request("tools/call", {"name": "note", "arguments": {"text": f"other {turn} {number}"}})
            time.sleep(self.random.uniform(0, 0.3))
            peer.kill()
            last = other.call("note", {"text": f"other {turn} last"})
            self.assertIn("noted", text_of(last))
            self.check()

    def test_while_it_begins(self):
        for _ in range(8):
            peer = self.peer(scripted("behaves", self.record))
            time.sleep(self.random.uniform(0, 0.2))
            peer.kill()
        peer = self.begin()
        self.assertIn("noted at last", text_of(peer.call("note", {"text": "at last"})))
        self.assertEqual(self.check()[0], 1)

    def test_a_changed_entry_is_found(self):
        """Both checks can fail."""
        peer = self.begin()
        peer.call("note", {"text": "x"})
        peer.leave()
        path = self.place.state / "portcullis.db"
        chain.check(path)
        store = sqlite3.connect(path)
        [trigger] = store.execute("SELECT sql FROM sqlite_master WHERE name = 'audit_is_not_changed'").fetchone()
        store.execute("DROP TRIGGER audit_is_not_changed")
        store.execute("""UPDATE audit SET body = replace(body, '"permit"', '"deny"') WHERE kind = 'verdict'""")
        # A store without it would not even be opened.
        store.execute(trigger)
        store.commit()
        store.close()
        with self.assertRaisesRegex(AssertionError, "was changed"):
            chain.check(path)
        self.assertEqual(self.place.command("audit", "verify", check=False).returncode, 1)


if __name__ == "__main__":
    unittest.main()
