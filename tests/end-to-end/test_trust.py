"""Tools that identity providers vouch for, with tokens of another implementation, and tools of trust bundles."""

import base64
import hashlib
import hmac
import json
import shutil
import time
import unittest

import jwt

from harness import FORMS, PORTCULLIS, Peer, Place, text_of, until
from trusting import ISSUER, KINDS, SETTINGS, Authority, Desk, Provider, TrustCase, at_terminal, definition_of, standing_of, vouched

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NOTE = {"name": "note", "description": "Keep a note", "inputSchema": SCHEMA}
OTHER = {"name": "note", "description": "Keep another note", "inputSchema": SCHEMA}
KEYS = "/keys.json"
DAY = 86_400


class Vouchers(TrustCase):
    def setUp(self):
        super().setUp()
        self.provider = Provider()
        self.provider.key("one")
        self.publish("one")

    def publish(self, *kids):
        self.documents.texts[KEYS] = self.provider.jwks(*kids)

    def trust(self):
        words = ["issuers", "trust", ISSUER, "--audience", "portcullis", "--tool", "acme.example/*"]
        return at_terminal(self.place, *words, "--jwks-url", self.documents.url(KEYS))

    def note(self, kid="one", tool=NOTE, **claims):
        definition = definition_of(self.place, tool)
        return vouched(tool, self.provider.token(kid, self.provider.claims(definition, **claims)))

    def test_what_a_trusted_issuer_vouches_for_is_called_without_approval(self):
        for algorithm in KINDS:
            self.provider.key(algorithm, algorithm)
        self.publish()
        seen, status = self.trust()
        self.assertEqual(status, 0, seen)
        self.assertIn("4 of its keys can be used", seen)
        for algorithm in KINDS:
            with self.subTest(algorithm):
                self.assertEqual(standing_of(self.place, self.note(algorithm)), ("vouched", ""))
        self.lists(self.note())
        peer = self.begin("session-1")
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        self.assertNotIn("the tool is", peer.questions[0])
        self.assertEqual(self.seen(), ("verified", f"signed by `{ISSUER}` at version 1.0.0"))
        # More scopes have to be approved again, and a host cannot do it.
        self.lists(self.note(tool_version="1.1.0", scope="notes.write mail.send"))
        peer.answers["elicitation/create"] = lambda message: {"action": "accept", "content": {"answer": "refuse"}}
        peer.ask("tools/list")
        self.assertTrue(peer.call("note", {"text": "y"})["isError"])
        self.assertEqual(self.seen(), ("changed", "it needs more scopes: `mail.send`"))

    def test_an_issuer_is_trusted_only_at_a_terminal(self):
        words = ["issuers", "trust", ISSUER, "--audience", "a", "--jwks-url", self.documents.url(KEYS)]
        refused = self.place.command(*words, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("needs a person at a terminal", refused.stderr)
        self.assertEqual(standing_of(self.place, self.note())[0], "unknown-issuer")

    def test_what_does_not_hold_is_refused_with_its_reason(self):
        self.trust()
        now = int(time.time())
        definition = definition_of(self.place, NOTE)
        claims = self.provider.claims(definition)
        self.provider.key("unpublished")
        self.provider.keys["impostor"] = self.provider.keys["unpublished"]
        part = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
        keyed = f"{part({'alg': 'HS256', 'kid': 'one', 'typ': 'JWT'})}.{part(claims)}"
        mac = hmac.new(json.dumps(self.provider.jwk("one")).encode(), keyed.encode(), hashlib.sha256).digest()
        keyed += "." + base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
        as_one = jwt.encode(claims, self.provider.keys["unpublished"][1], algorithm="ES256", headers={"kid": "one"})
        cases = {
            "alg none": (jwt.encode(claims, None, algorithm="none", headers={"kid": "one"}), "algorithm", "nothing is signed"),
            "the public key as a secret": (keyed, "algorithm", "a keyed hash"),
            "another key under a known name": (as_one, "bad-signature", "does not fit"),
            "a key that is not published": (self.provider.token("unpublished", claims), "unknown-key", "has no key `unpublished`"),
        }
        for name, changed, word, reason in (
            ("another audience", {"aud": "somebody else"}, "audience", "meant for somebody else"),
            ("another issuer", {"iss": "https://id.example/"}, "unknown-issuer", "not among the issuers"),
            ("expired", {"exp": now - 121}, "expired", "the voucher expired at"),
            ("not yet", {"nbf": now + 300}, "not-yet-valid", "holds only from"),
            ("issued in the future", {"iat": now + 300}, "not-yet-valid", "holds only from"),
            ("a tool of others", {"tool_id": "bank.example/pay"}, "not-allowed", "is not trusted to vouch for `bank.example/pay`"),
            ("another definition", {"tool_definition": "sha256:" + "0" * 64}, "other-definition", "for another definition"),
            ("no version", {"tool_version": "new"}, "malformed", "a semantic version"),
        ):
            cases[name] = (self.provider.token("one", {**claims, **changed}), word, reason)
        for name, (token, word, reason) in cases.items():
            with self.subTest(name):
                found, why = standing_of(self.place, vouched(NOTE, token))
                self.assertEqual(found, word, why)
                self.assertIn(reason, why)
        for name, changed in (("skew", {"nbf": now + 60}), ("just over", {"exp": now - 60}), ("several", {"aud": ["a", "portcullis"]})):
            with self.subTest(name):
                token = self.provider.token("one", {**claims, **changed})
                self.assertEqual(standing_of(self.place, vouched(NOTE, token)), ("vouched", ""))
        # The same through a gateway: neither shown nor called.
        self.lists(vouched(NOTE, cases["alg none"][0]))
        peer = self.begin()
        self.assertEqual(peer.ask("tools/list")["tools"], [])
        self.assertIn("nothing is signed", text_of(peer.call("note", {"text": "x"})))
        self.assertFalse(self.record.exists())

    def test_keys_change_while_a_gateway_runs(self):
        self.trust()
        self.lists(self.note())
        peer = self.begin("session-1", "refuse")
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        # The issuer signs with a new key, and the gateway finds it by itself: beside the calls, and not at once again.
        self.provider.key("two")
        self.publish("one", "two")
        self.age(600)
        asked = len(self.documents.asked)
        self.lists(self.note("two"))
        peer.ask("tools/list")
        until(lambda: self.seen()[0] == "verified", self.seen)
        self.assertEqual(len(self.documents.asked), asked + 1)
        self.assertIn("noted y", text_of(peer.call("note", {"text": "y"})))
        # The old key is gone from the set: what it signed counts no more.
        self.publish("two")
        refreshed = self.place.command("issuers", "refresh").stdout
        self.assertIn("1 keys that can be used", refreshed)
        self.lists(self.note("one"))
        peer.ask("tools/list")
        self.assertTrue(peer.call("note", {"text": "z"})["isError"])
        state, why = self.seen()
        self.assertEqual(state, "changed")
        self.assertIn("has no key 'one'", why)
        self.assertEqual(self.place.command("audit", "verify", check=False).returncode, 0)

    def test_without_a_network_the_last_keys_count_for_a_week(self):
        self.trust()
        self.lists(self.note(exp=int(time.time()) + 30 * DAY))
        self.documents.texts.clear()
        self.age(3 * DAY)
        peer = self.begin("session-1")
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        peer.until_noted("answered with status 404")
        listed = self.place.command("issuers", "list").stdout
        self.assertIn("(3 days)", listed)
        self.assertIn("the last try failed", listed)
        peer.leave()
        self.age(5 * DAY)
        self.assertIn("too long ago to count", self.place.command("issuers", "list").stdout)
        state, why = self.seen()
        self.assertEqual(state, "changed")
        self.assertIn("have not been fetched", why)

    def test_a_revoked_issuer_is_believed_no_more(self):
        self.trust()
        self.lists(self.note())
        peer = self.begin("session-1")
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        self.place.command("issuers", "revoke", ISSUER, "--yes")
        self.assertIn("was revoked", text_of(peer.call("note", {"text": "y"})))
        seen, status = self.trust()
        self.assertEqual(status, 0, seen)
        self.assertIn("it would be believed again", seen)
        self.assertIn("noted z", text_of(peer.call("note", {"text": "z"})))


class Bundles(TrustCase):
    def setUp(self):
        super().setUp()
        # Whoever makes a bundle is somebody else than whoever takes it.
        self.maker = Place(1)
        self.addCleanup(self.maker.remove)
        self.maker.command("keys", "new", "team")
        (self.place.root / "team.json").write_text(self.maker.command("keys", "export", "team").stdout)
        self.definition = definition_of(self.place, NOTE)

    def sign(self, version, expires="30d", **form):
        file = self.place.root / "form.json"
        file.write_text(json.dumps(form))
        words = ["bundle", "sign", str(file), "--key", "team", "--version", str(version), "--expires", expires]
        return self.maker.command(*words).stdout

    def pins(self, version, **others):
        return self.sign(version, pinned=[{"tool": "note", "definition": self.definition}], **others)

    def add(self, source):
        return at_terminal(self.place, "bundle", "add", source, "--root", self.place.root / "team.json", "--name", "team")

    def test_a_bundle_approves_and_a_newer_one_revokes_in_a_gateway_that_runs(self):
        url = self.documents.url("/team.jws")
        self.documents.texts["/team.jws"] = self.pins(2)
        seen, status = self.add(url)
        self.assertEqual(status, 0, seen)
        self.assertIn(f"approves note as {self.definition}", seen)
        self.lists(NOTE)
        peer = self.begin("session-1", "refuse")
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        self.assertEqual(self.seen(), ("pinned", "the trust bundle `team` approves it"))
        self.lists(OTHER)
        peer.ask("tools/list")
        self.assertTrue(peer.call("note", {"text": "y"})["isError"])
        self.assertEqual(self.seen()[0], "new")
        self.lists(NOTE)
        peer.ask("tools/list")

        self.documents.texts["/team.jws"] = self.sign(3, revoked_tools=[{"definition": self.definition}])
        self.assertIn("version 3 in place of 2", self.place.command("bundle", "refresh").stdout)
        self.assertIn("was revoked", text_of(peer.call("note", {"text": "z"})))

        # Somebody serves the old one again: it is refused, and the last one stays.
        self.documents.texts["/team.jws"] = self.pins(2)
        refused = self.place.command("bundle", "refresh", check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("somebody may be replaying an old one", refused.stdout)
        self.assertIn("was revoked", text_of(peer.call("note", {"text": "z"})))
        listed = self.place.command("bundle", "list").stdout
        self.assertIn("version 3", listed)
        self.assertIn("the last try failed, so that this one still counts", listed)

        # Removing it does not make an older one acceptable.
        refused = self.place.command("bundle", "remove", "team", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("this needs a person at a terminal", refused.stderr)
        seen, status = at_terminal(self.place, "bundle", "remove", "team")
        self.assertEqual(status, 0, seen)
        seen, status = self.add(url)
        self.assertEqual(status, 2, seen)
        self.assertIn("version 3 was taken already", seen)
        self.documents.texts["/team.jws"] = self.pins(4)
        seen, status = self.add(url)
        self.assertEqual(status, 0, seen)
        self.assertIn("noted z", text_of(peer.call("note", {"text": "z"})))
        self.assertEqual(len(self.place.audit("bundle-taken")), 3)

    def test_nobody_but_a_person_takes_a_bundle(self):
        url = self.documents.url("/team.jws")
        self.documents.texts["/team.jws"] = self.pins(1)
        words = ["bundle", "add", url, "--root", str(self.place.root / "team.json"), "--name", "team"]
        refused = self.place.command(*words, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("this needs a person at a terminal", refused.stderr)
        self.assertEqual(self.place.command("bundle", "list", "--json").stdout, "")

    def test_who_takes_a_bundle_signs_it_at_a_terminal_alone(self):
        file = self.place.root / "team.jws"
        form = self.place.root / "form.json"
        file.write_text(self.pins(1))
        shutil.copytree(self.maker.state / "keys", self.place.state / "keys")
        words = ["bundle", "sign", str(form), "--key", "team", "--expires", "1d", "--version"]
        # Nobody believes the key yet.
        self.place.command(*words, "2")
        self.assertEqual(self.add(file)[1], 0)
        refused = self.place.command(*words, "2", "--output", str(file), check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("this needs a person at a terminal", refused.stderr)
        seen, status = at_terminal(self.place, *words, "2", "--output", file)
        self.assertEqual(status, 0, seen)
        self.assertIn("You take the trust bundle team of this key", seen)
        self.assertIn("version 2 in place of 1", self.place.command("bundle", "refresh").stdout)

    def test_a_gateway_takes_a_newer_bundle_when_it_begins(self):
        file = self.place.root / "team.jws"
        file.write_text(self.pins(1))
        self.assertEqual(self.add(file)[1], 0)
        file.write_text(self.sign(2, revoked_tools=[{"definition": self.definition}]))
        self.lists(NOTE)
        peer = self.begin()
        self.assertEqual(peer.ask("tools/list")["tools"], [])
        self.assertIn("was revoked", text_of(peer.call("note", {"text": "x"})))
        # The file is gone: the last good one counts, and its age is told.
        peer.leave()
        file.unlink()
        refused = self.place.command("bundle", "refresh", check=False)
        self.assertIn("version 2 stays", refused.stdout)
        report = json.loads(self.place.command("bundle", "list", "--json").stdout)
        self.assertEqual((report["state"], report["version"], report["revoked_tools"]), ("fresh", 2, 1))
        self.assertIn("No such file", report["trouble"])

    def test_settings_name_a_bundle(self):
        file = self.place.root / "team.jws"
        file.write_text(self.pins(1))
        named = f'[[trust.bundles]]\nname = "team"\nsource = "{file}"\nroot = "{self.place.root / "team.json"}"\n'
        self.place.settings(SETTINGS + named)
        self.lists(NOTE)
        peer = self.begin("session-1")
        self.assertIn("noted x", text_of(peer.call("note", {"text": "x"})))
        self.assertEqual(self.seen(), ("pinned", "the trust bundle `team` approves it"))
        shown = self.place.command("tools", "show", "note").stdout
        self.assertIn("the trust bundle team approves it (version 1, issued just now, until ", shown)
        peer.leave()
        # A project cannot.
        self.place.settings(SETTINGS)
        self.place.write(".portcullis/portcullis.toml", named)
        refused = self.place.command("run", "--", "true", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("a project may only state", refused.stderr)

    def test_a_bundle_brings_keys_and_issuers(self):
        provider = Provider()
        provider.key("one", "EdDSA")
        issuer = {"issuer": ISSUER, "audience": "portcullis", "tools": ["acme.example/*"], "jwks": json.loads(provider.jwks())}
        self.place.command("keys", "new", "acme")
        jwk = json.loads(self.place.command("keys", "export", "acme").stdout)
        key = {"name": "Acme", "jwk": jwk, "providers": ["acme.example"], "tools": ["*"]}
        file = self.place.root / "team.jws"
        file.write_text(self.sign(1, keys=[key], issuers=[issuer]))
        self.assertEqual(self.add(file)[1], 0)
        token = provider.token("one", provider.claims(self.definition))
        self.assertEqual(standing_of(self.place, vouched(NOTE, token)), ("vouched", ""))
        self.assertIn("by the trust bundle that is signed with ", self.place.command("issuers", "list").stdout)
        unsigned = self.place.root / "unsigned.json"
        unsigned.write_text(json.dumps(NOTE))
        words = ["sign", "--key", "acme", "--provider", "acme.example", "--version", "1.0.0", str(unsigned)]
        signed = json.loads(self.place.command(*words).stdout)["tools"][0]
        self.assertEqual(standing_of(self.place, signed), ("verified", ""))
        file.write_text(self.sign(2, keys=[key], issuers=[issuer], revoked_keys=[self.thumbprint("acme")]))
        self.place.command("bundle", "refresh")
        self.assertEqual(standing_of(self.place, signed)[0], "revoked-key")

    def thumbprint(self, name):
        for line in self.place.command("keys", "list", "--json").stdout.splitlines():
            if json.loads(line)["name"] == name:
                return json.loads(line)["key"]
        raise AssertionError(f"no key is called {name}")

    def test_what_is_no_bundle_of_the_key_is_refused(self):
        self.place.command("keys", "new", "other")
        file, good = self.place.root / "team.jws", self.pins(1)
        head, body, signature = good.strip().split(".")
        form = self.place.root / "form.json"
        for name, text, reason in (
            ("of another key", self.place.command("bundle", "sign", str(form), "--key", "other", "--version", "1", "--expires", "1d").stdout, "not with the one you trust for bundles"),
            ("changed", f"{head}.{body[:-4]}AAAA.{signature}", "does not fit"),
            ("no bundle", "{}", "three parts"),
            ("unsigned", f"{head}.{body}.", "does not fit"),
        ):
            with self.subTest(name):
                file.write_text(text)
                seen, status = self.add(file)
                self.assertEqual(status, 2, seen)
                self.assertIn(reason, " ".join(seen.split()))


class Certificates(TrustCase):
    """A server at an address, whose certificate is renewed, or is somebody else's."""

    def setUp(self):
        super().setUp()
        self.one, self.two = (Authority(f"Authority {name}", self.place.root) for name in ("One", "Two"))
        (self.place.root / "authorities.pem").write_text(self.one.pem + self.two.pem)
        self.desk = Desk([NOTE], self.one.certificate())
        self.addCleanup(self.desk.close)

    def begin(self, *choices, options=()):
        words = ["--url", self.desk.url, "--authorities", str(self.place.root / "authorities.pem"), "--name", "desk"]
        command = [PORTCULLIS, "run", "--workspace", str(self.place.workspace), *words, *options]
        peer = Peer(command, self.place.environment(), self.place.workspace)
        self.addCleanup(peer.kill)
        peer.answer_with(*choices)
        peer.begin(FORMS)
        return peer

    def approved(self):
        peer = self.begin("approve-tool", "session-1")
        self.assertEqual(text_of(peer.call("note", {"text": "a"})), "noted")
        peer.leave()
        shown = self.place.command("tools", "show", "desk.note").stdout
        self.assertRegex(shown, r"certified by Authority One, with the key sha256:[0-9a-f]{64}\n")

    def test_a_renewed_certificate_of_the_same_issuer_is_recorded_and_no_scare(self):
        self.approved()
        self.desk.show(self.one.certificate())
        peer = self.begin("session-1")
        self.assertEqual(text_of(peer.call("note", {"text": "b"})), "noted")
        self.assertFalse(any("the tool is" in question for question in peer.questions))
        findings = [finding for finding in self.place.audit("verdict")[-1]["findings"] if finding["stage"] == "identity"]
        self.assertIn("a new key of the same issuer", json.dumps(findings))

    def test_a_certificate_of_another_issuer_is_another_server(self):
        self.approved()
        self.desk.show(self.two.certificate())
        peer = self.begin("refuse")
        shown = peer.ask("tools/list")["tools"][0]["description"]
        self.assertIn("Portcullis holds this tool back", shown)
        self.assertTrue(peer.call("note", {"text": "b"})["isError"])
        self.assertIn("a certificate of another issuer (Authority Two, was Authority One)", peer.questions[0])
        self.assertEqual(len(self.desk.calls), 1)
        peer.leave()
        # Where the user says that only the name counts, it is recorded.
        peer = self.begin("session-1", options=["--tls", "name"])
        self.assertEqual(text_of(peer.call("note", {"text": "b"})), "noted")
        self.assertFalse(any("the tool is" in question for question in peer.questions))

    def test_a_certificate_that_changes_while_a_gateway_runs_is_noticed_with_the_first_response(self):
        self.approved()
        peer = self.begin("session-1", "refuse")
        self.assertEqual(text_of(peer.call("note", {"text": "b"})), "noted")
        self.desk.show(self.two.certificate())
        # It was sent before anybody could know, but the answer is somebody else's.
        failed = peer.ask("tools/call", {"name": "note", "arguments": {"text": "c"}})
        self.assertIn("a certificate of another issuer (Authority Two, was Authority One)", failed["message"])
        self.assertTrue(peer.call("note", {"text": "d"})["isError"])
        self.assertIn("another issuer", peer.questions[-1])
        self.desk.show(self.one.certificate())
        peer.ask("tools/list")
        self.assertEqual(text_of(peer.call("note", {"text": "e"})), "noted")
        self.assertEqual([call["arguments"]["text"] for call in self.desk.calls], ["a", "b", "c", "e"])

    def test_another_server_that_only_fails_is_noticed_too(self):
        self.approved()
        peer = self.begin("session-1", "refuse")
        self.assertEqual(text_of(peer.call("note", {"text": "b"})), "noted")
        self.desk.show(self.two.certificate())
        self.desk.is_broken = True
        self.assertIn("another issuer", peer.ask("ping")["message"])
        self.desk.is_broken = False
        self.assertTrue(peer.call("note", {"text": "c"})["isError"])
        self.assertIn("another issuer", peer.questions[-1])
        self.assertEqual([call["arguments"]["text"] for call in self.desk.calls], ["a", "b"])

    def test_a_pinned_key_has_to_stay(self):
        self.approved()
        peer = self.begin("session-1", options=["--tls", "pinned"])
        self.assertEqual(text_of(peer.call("note", {"text": "b"})), "noted")
        peer.leave()
        self.desk.show(self.one.certificate())
        peer = self.begin("refuse", options=["--tls", "pinned"])
        self.assertTrue(peer.call("note", {"text": "c"})["isError"])
        self.assertIn("another key than the pinned one", peer.questions[0])
        self.assertEqual(len(self.desk.calls), 2)
        # A server with a key that nobody approved is asked for its tools and nothing else.
        self.assertIn("before you approve them again", peer.ask("ping")["message"])
        self.assertNotIn("ping", self.desk.asked)

    def test_nothing_more_is_sent_to_a_server_whose_pinned_key_changes(self):
        self.approved()
        peer = self.begin("session-1", options=["--tls", "pinned"])
        self.assertEqual(text_of(peer.call("note", {"text": "b"})), "noted")
        self.desk.show(self.one.certificate())
        self.assertIn("another key than the pinned one", peer.ask("ping")["message"])
        sent = len(self.desk.asked)
        for method, params in [("ping", {}), ("tools/list", {}), ("tools/call", {"name": "note", "arguments": {"text": "c"}})]:
            self.assertIn("nothing more is sent to it", peer.ask(method, params)["message"])
        self.assertEqual(len(self.desk.asked), sent)


if __name__ == "__main__":
    unittest.main()
