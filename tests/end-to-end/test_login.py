"""Logging in to servers that want a user's token: `oidc-provider` gives it out, a server of the Python SDK checks it, and a
person logs in with a browser that is played."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

import httpx
import jwt

from harness import FORMS, HERE, LONGEST, PORTCULLIS, TOOLS, scripted, text_of, until
from serving import ServeCase, Upstream, Web, at_terminal, table

AUTHORITY = ["node", str(HERE / "servers" / "authority.mjs")]
PROTECTED = [sys.executable, str(HERE / "servers" / "protected.py")]


class Party(Upstream):
    """An upstream with variables of its own."""

    def __init__(self, command, place, port=None, **variables):
        self.variables = {name: str(value) for name, value in variables.items()}
        outer = place

        class Own:
            workspace = outer.workspace

            def environment(own):
                return {**outer.environment(), **self.variables}

        super().__init__(command, Own(), port)

    def told(self):
        return json.loads(self.fetch("/told"))

    def fetch(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=LONGEST) as answer:
            return answer.read()


class Browser:
    """A browser with a person in front of it, who logs in and agrees. Where it is sent back to can be bent."""

    def __init__(self, case, bend=lambda back: [back]):
        self.case = case
        self.bend = bend
        self.pages = []
        self.started = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.failure = None

    def _run(self):
        try:
            opened = self.case.opened
            until(opened.exists, "a browser that is opened")
            self.started = opened.read_text()
            opened.unlink()
            back = self.visit(self.started)
            with httpx.Client(timeout=LONGEST) as client:
                for address in self.bend(back):
                    self.pages.append(client.get(address).status_code)
        except BaseException as failure:  # told by whoever waits for the thread
            self.failure = failure

    def visit(self, address):
        """Follows the forms until the way leads back to Portcullis, and returns where."""
        with httpx.Client(timeout=LONGEST) as client:
            answer = client.get(address)
            for _ in range(20):
                if answer.is_redirect:
                    target = urllib.parse.urljoin(str(answer.url), answer.headers["location"])
                    if urllib.parse.urlsplit(target).path == "/callback":
                        return target
                    answer = client.get(target)
                    continue
                form = re.search(r'<form[^>]*action="([^"]+)"[^>]*method="post"', answer.text)
                if form is None:
                    raise AssertionError(f"no form: {answer.status_code} {answer.text[:2000]}")
                fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', answer.text))
                if 'name="login"' in answer.text:
                    fields |= {"login": "ann", "password": "any"}
                answer = client.post(urllib.parse.urljoin(str(answer.url), form.group(1)), data=fields)
        raise AssertionError("the forms do not end")

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.thread.join(LONGEST)


class LoginCase(ServeCase):
    """A test with an issuer and a server."""

    life = 3600

    def setUp(self):
        super().setUp()
        self.opened = self.place.root / "opened"
        tools = self.place.root / "bin"
        tools.mkdir()
        script = tools / "xdg-open"
        script.write_text(f'#!/bin/sh\nprintf %s "$1" > "{self.opened}.part" && mv "{self.opened}.part" "{self.opened}"\n')
        script.chmod(0o755)
        plain = self.place.environment
        self.place.environment = lambda: {**plain(), "PATH": f"{tools}:{plain()['PATH']}"}
        self.seen = self.place.root / "seen.jsonl"

    def party(self, command, port=None, **variables):
        party = Party(command, self.place, port, **variables)
        self.addCleanup(party.kill)
        return party

    def parties(self, authority=None, protected=None, more=None):
        """The issuer and the server, which settings name `notes`."""
        self.authority = self.party(AUTHORITY, PACKAGES=TOOLS / "npm", LIFE=self.life, **(authority or {}))
        self.issuer = f"http://127.0.0.1:{self.authority.port}"
        self.server = self.party(PROTECTED, ISSUER=self.issuer, SEEN=self.seen, **(protected or {}))
        self.named(table("notes", url=self.server.url(), **(more or {})))

    def log_in(self, *words, bend=lambda back: [back], answer="yes"):
        """A person logs in, and sees what is shown."""
        with Browser(self, bend) as browser:
            shown, status = at_terminal(self.place, ["login", *(words or ["notes"])], [["Type yes:", f"{answer}\n"]])
            if status != 0 and not self.opened.exists() and browser.started is None:
                self.opened.write_text("about:blank")
        self.browser = browser
        return shown, status

    def logged_in(self, *words, **more):
        shown, status = self.log_in(*words, **more)
        self.assertEqual(status, 0, shown)
        self.assertIsNone(self.browser.failure)
        return shown

    def host(self):
        self.serves = self.serve()
        web = Web(self.serves, "/servers/notes")
        web.begin(FORMS)
        web.choose("session-1")
        return web

    def refused(self):
        """What a host is told that is not let in."""
        serves = self.serve()
        web = Web(serves, "/servers/notes")
        reply = web.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {
            "name": "x", "version": "1"}})
        return web.hear(reply)["error"]["message"]

    def shown_tokens(self):
        """The tokens that the server was shown."""
        lines = [json.loads(line) for line in self.seen.read_text().splitlines()]
        return [line["authorization"] for line in lines if line["authorization"]]

    def nothing_leaks(self, *texts):
        """No token is anywhere but where it belongs."""
        secrets = {secret.encode() for secret in self.authority.told()["given"] if secret}
        self.assertTrue(secrets)
        for path in self.place.state.rglob("*"):
            if path.is_file():
                held = path.read_bytes()
                for secret in secrets:
                    self.assertNotIn(secret, held, path)
        audit = self.place.command("audit", "export").stdout
        for text in (audit, *texts, self.place.command("logins").stdout, self.place.command("logins", "--json").stdout):
            for secret in secrets:
                self.assertNotIn(secret, text.encode())


class Logins(LoginCase):
    """How people log in, and what servers get to see."""

    def test_a_person_logs_in_and_the_host_notices_nothing(self):
        self.parties()
        told = self.refused()
        self.assertIn("`notes` wants you to log in: say `portcullis login notes`", told)
        shown = self.logged_in()
        for words in (f"takes tokens of {self.issuer}", f"for the resource  {self.server.url()}", "notes:read",
                      "will be registered there", "logged in", "kept encrypted"):
            self.assertIn(words, shown)
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.started).query))
        self.assertEqual((asked["code_challenge_method"], asked["resource"], asked["response_type"]),
                         ("S256", self.server.url(), "code"))
        web = self.host()
        self.assertIn("noted a", text_of(web.call("note", {"text": "a"})))
        given = self.authority.told()["given"]
        self.assertEqual(set(self.shown_tokens()), {f"Bearer {given[0]}"})
        self.nothing_leaks(shown, *self.serves.notes)
        [report] = [json.loads(line) for line in self.place.command("logins", "--json").stdout.splitlines()]
        self.assertEqual((report["names"], report["server"], report["issuer"], report["state"], report["key"]),
                         (["notes"], self.server.url(), self.issuer, "renewed when needed", "file"))
        self.assertEqual([entry["issuer"] for entry in self.place.audit("logged-in")], [self.issuer])

    def test_no_agent_logs_in(self):
        self.parties()
        done = self.place.command("login", "notes", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("this needs a person at a terminal", done.stderr)
        declined, status = self.log_in(answer="no")
        self.assertEqual(status, 1, declined)
        self.assertEqual(self.authority.told()["grants"], [])

    def test_who_is_not_to_be_registered_is_known_beforehand(self):
        self.parties(authority={"REGISTERS": "no"})
        shown, status = self.log_in()
        self.assertEqual(status, 2)
        self.assertIn("set `client_id` and `issuer` for this server", shown)
        login = {"client_id": "known-beforehand", "client_secret": "the-secret-of-the-known-one", "issuer": self.issuer}
        self.named(table("notes", url=self.server.url(), login=login))
        self.logged_in()
        self.assertEqual(self.authority.told()["clients"], ["known-beforehand"])
        # Its id is for its issuer alone.
        self.named(table("notes", url=self.server.url(), login={**login, "issuer": "http://127.0.0.1:1"}))
        shown, status = self.log_in()
        self.assertEqual(status, 2)
        self.assertIn(f"the server wants tokens of `{self.issuer}`, and not of `http://127.0.0.1:1`", shown)

    def test_a_document_says_who_we_are(self):
        document = "https://portcullis.example/client.json"
        self.parties(authority={"REGISTERS": "no", "DOCUMENTS": "yes"}, more={"login": {"client_document": document}})
        self.logged_in()
        told = self.authority.told()
        self.assertEqual((told["clients"], told["fetched"]), ([document], [document]))
        self.assertIn("noted a", text_of(self.host().call("note", {"text": "a"})))

    def test_more_is_allowed_where_a_server_wants_more(self):
        self.parties()
        self.logged_in()
        web = self.host()
        failure = web.call("change", {"text": "a"})
        self.assertIn("say `portcullis login notes --scope 'notes:write'`", json.dumps(failure))
        shown = self.logged_in("notes", "--scope", "notes:write")
        self.assertIn("notes:read notes:write", shown)
        # The gateway that runs takes the new one.
        changed = web.call("change", {"text": "a"})
        self.assertIn("changed a", text_of(changed), changed)
        self.assertEqual(len(set(self.authority.told()["clients"])), 1)
        self.assertIn("noted a", text_of(web.call("note", {"text": "a"})))

    def test_an_address_without_a_name(self):
        self.parties()
        self.logged_in(self.server.url())
        done = subprocess.run([PORTCULLIS, "logout", self.server.url(), "--yes"], env=self.place.environment(),
                              capture_output=True, text=True, timeout=LONGEST)
        # The server checks tokens by itself, so that the last one cannot be taken back.
        self.assertIn("the login is revoked and forgotten; its last token ends when it ends", done.stdout)
        self.assertEqual(self.place.command("logins", "--json").stdout, "")
        self.assertIn("wants you to log in", self.refused())
        self.assertEqual(len(self.place.audit("logged-out")), 1)


    def test_a_server_without_a_login_is_left_out_and_the_others_go_on(self):
        self.parties()
        self.named(table("notes", url=self.server.url()), table("good", scripted("behaves")))
        self.serves = self.serve()
        web = Web(self.serves, "/mcp")
        web.begin(FORMS)
        web.choose("session-1")
        self.assertIn("noted a", text_of(web.call("good__note", {"text": "a"})))
        self.serves.noted("`notes` wants you to log in: say `portcullis login notes`")
        self.logged_in()
        again = Web(self.serves, "/mcp")
        again.begin(FORMS)
        again.choose("session-1")
        self.assertIn("noted a", text_of(again.call("notes__note", {"text": "a"})))


class Renewal(LoginCase):
    """Tokens that end."""

    life = 5

    def grow_old(self):
        """Waits until the last token has ended."""
        token = self.authority.told()["given"][-2]
        end = jwt.decode(token, options={"verify_signature": False})["exp"]
        until(lambda: time.time() > end, "the end of a token")

    def test_a_token_that_ends_is_renewed_and_nobody_notices(self):
        self.parties()
        shown = self.logged_in()
        web = self.host()
        for number in range(2):
            self.grow_old()
            self.assertIn("noted a", text_of(web.call("note", {"text": "a"})))
        told = self.authority.told()
        self.assertEqual(told["grants"][0], "authorization_code")
        self.assertGreater(told["grants"].count("refresh_token"), 1)
        self.assertEqual((told["refused"], told["revoked"]), ([], 0))
        self.nothing_leaks(shown, *self.serves.notes)

    def test_two_gateways_never_spend_the_same_token(self):
        self.parties()
        self.logged_in()
        hosts = [self.host(), self.host()]
        failures = []

        def calls(web, name):
            try:
                for number in range(3):
                    self.grow_old()
                    self.assertIn("noted", text_of(web.call("note", {"text": f"{name} {number}"})))
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=calls, args=(web, name)) for name, web in enumerate(hosts)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LONGEST)
        self.assertEqual([thread.is_alive() for thread in threads], [False, False])
        self.assertEqual(failures, [])
        # An issuer that sees a token twice ends all that was granted.
        told = self.authority.told()
        self.assertEqual((told["refused"], told["revoked"]), ([], 0))

    def test_what_was_revoked_is_over_until_a_person_logs_in_again(self):
        self.parties()
        self.logged_in()
        self.authority.fetch("/revoke")
        self.grow_old()
        told = self.refused()
        self.assertIn("`notes` wants you to log in again: say `portcullis login notes`", told)
        # It is asked once, and not for each call.
        self.assertIn("log in again", self.refused())
        self.assertEqual(self.authority.told()["refused"], ["invalid_grant"])
        self.assertIn('"state":"over"', self.place.command("logins", "--json").stdout)
        self.logged_in()
        self.assertIn("noted a", text_of(self.host().call("note", {"text": "a"})))

    def test_a_server_that_changes_hands_gets_nothing(self):
        self.parties()
        self.logged_in()
        before = self.authority.told()["grants"]
        self.grow_old()
        # Another issuer, which would be glad to see our tokens.
        other = self.party(AUTHORITY, PACKAGES=TOOLS / "npm", LIFE=self.life)
        port = self.server.port
        self.server.kill()
        self.server = self.party(PROTECTED, port, ISSUER=f"http://127.0.0.1:{other.port}", SEEN=self.seen)
        self.seen.write_text("")
        told = self.refused()
        self.assertIn(f"the server now wants tokens of `http://127.0.0.1:{other.port}`, and no longer of `{self.issuer}`", told)
        self.assertIn("say `portcullis login notes`", told)
        self.assertEqual((other.told()["grants"], other.told()["refused"]), ([], []))
        self.assertEqual(self.authority.told()["grants"], before)
        self.assertEqual(self.shown_tokens(), [])
        shown = self.logged_in()
        self.assertIn(f"Until now you were logged in at {self.issuer}", shown)

    def test_an_issuer_that_is_gone_loses_nothing(self):
        self.parties()
        self.logged_in()
        self.grow_old()
        self.addCleanup(self.authority.process.send_signal, signal.SIGCONT)
        self.authority.process.send_signal(signal.SIGSTOP)
        self.assertIn("cannot be renewed", self.refused())
        self.authority.process.send_signal(signal.SIGCONT)
        self.assertIn("noted a", text_of(self.host().call("note", {"text": "a"})))


class Deceit(LoginCase):
    """Servers, issuers and pages that want what is not theirs."""

    def bent(self, **changes):
        """An answer of the issuer with something else in it."""

        def bend(back):
            parts = urllib.parse.urlsplit(back)
            query = {**dict(urllib.parse.parse_qsl(parts.query)), **changes}
            query = {name: value for name, value in query.items() if value is not None}
            return [parts._replace(query=urllib.parse.urlencode(query)).geturl()]

        return bend

    def nothing_came_of_it(self):
        self.assertEqual(self.authority.told()["grants"], [])
        self.assertEqual(self.place.command("logins", "--json").stdout, "")

    def test_an_answer_to_another_question_is_passed_over(self):
        self.parties()
        stray = self.bent(state="x" * 43)
        self.logged_in(bend=lambda back: [*stray(back), *self.bent(state=None)(back), back])
        self.assertEqual(self.browser.pages, [400, 400, 200])
        self.assertEqual(self.authority.told()["grants"], ["authorization_code"])

    def test_an_answer_of_another_issuer_is_refused(self):
        self.parties()
        for changes, words in [
            ({"iss": "http://127.0.0.1:1"}, "that of another issuer"),
            ({"iss": None}, "does not say which issuer it is of"),
            ({"iss": "http://127.0.0.1:1", "error": "access_denied"}, "that of another issuer"),
        ]:
            with self.subTest(changes):
                shown, status = self.log_in(bend=self.bent(**changes))
                self.assertEqual((status, self.browser.pages), (2, [400]), shown)
                self.assertIn(words, shown)
                self.assertNotIn("access_denied", shown)
                self.nothing_came_of_it()

    def test_a_code_of_somebody_else_is_of_no_use(self):
        self.parties()
        shown, status = self.log_in(bend=self.bent(code="a-code-that-was-put-in"))
        self.assertEqual(status, 2)
        self.assertIn("the issuer gives no tokens (status 400, invalid_grant)", shown)
        self.nothing_came_of_it()

    def test_who_declines_is_not_logged_in(self):
        self.parties()
        shown, status = self.log_in(bend=self.bent(code=None, error="access_denied", error_description="not\x1b[2J me"))
        self.assertEqual(status, 2)
        self.assertIn("the issuer refused: access_denied (not?[2J me)", shown)
        self.nothing_came_of_it()

    def test_a_server_that_poses_as_another_gets_no_token_for_it(self):
        for resource in ("https://bank.example/mcp", "http://127.0.0.1:1/mcp", "http://127.0.0.1/"):
            with self.subTest(resource):
                # The issuer is one that would give a token.
                metadata = json.dumps({"resource": resource, "authorization_servers": ["ISSUER"]})
                self.parties(protected={"METADATA": metadata})
                shown, status = self.log_in()
                self.assertEqual(status, 2)
                self.assertIn("which is not where it is", shown)
                self.nothing_came_of_it()

    def test_an_issuer_that_says_that_it_is_another_is_not_asked(self):
        self.parties()
        self.authority.fetch("/outlaw")
        shown, status = self.log_in()
        self.assertEqual(status, 2)
        self.assertIn("the metadata of the issuer are those of another one", shown)
        self.nothing_came_of_it()

    def test_a_token_for_another_server_is_not_taken(self):
        self.parties(authority={"AUDIENCE": "http://127.0.0.1:1/mcp"})
        self.logged_in()
        self.assertIn("`notes` wants you to log in", self.refused())
        # What is fresh and refused is not renewed over and over.
        self.refused()
        self.refused()
        self.assertEqual(self.authority.told()["grants"], ["authorization_code", "refresh_token"])

    def test_a_login_that_was_moved_to_another_server_is_not_opened(self):
        self.parties()
        self.logged_in()
        [login] = (self.place.state / "logins").glob("*.login")
        other = self.party(PROTECTED, ISSUER=self.issuer, SEEN=self.seen)
        self.named(table("notes", url=other.url()))
        self.assertIn("wants you to log in", self.refused())
        self.logged_in()
        [moved] = [path for path in (self.place.state / "logins").glob("*.login") if path != login]
        moved.write_bytes(login.read_bytes())
        self.seen.write_text("")
        self.assertIn("it was changed, or sealed with another key", self.refused())
        self.assertEqual(self.shown_tokens(), [])


