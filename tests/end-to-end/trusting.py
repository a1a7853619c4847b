"""What tests of trust share: an identity provider of its own, a web server of documents, and a person at a terminal."""

import http.server
import json
import sqlite3
import subprocess
import sys
import threading
import time

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from harness import FORMS, HERE, LONGEST, PORTCULLIS, Case, scripted

TERMINAL = HERE.parents[1] / "crates" / "portcullis" / "tests" / "terminal" / "terminal.py"
ISSUER = "https://id.example"
MEMBER = "io.portcullis/definition"
SETTINGS = '[asking]\nwait = 30\n[tools]\nunverified = "ask"\n'

# How keys of each algorithm are made, and how PyJWT writes them.
KINDS = {
    "ES256": (lambda: ec.generate_private_key(ec.SECP256R1()), jwt.algorithms.ECAlgorithm),
    "EdDSA": (ed25519.Ed25519PrivateKey.generate, jwt.algorithms.OKPAlgorithm),
    "RS256": (lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048), jwt.algorithms.RSAAlgorithm),
}


class Documents:
    """A web server on this machine that serves texts by path."""

    def __init__(self):
        self.texts = {}
        self.asked = []
        documents = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                documents.asked.append(self.path)
                text = documents.texts.get(self.path)
                self.send_response(404 if text is None else 200)
                body = (text or "").encode()
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Provider:
    """An identity provider: keys by name, a set of the public ones, and tokens."""

    def __init__(self):
        self.keys = {}

    def key(self, kid, algorithm="ES256"):
        self.keys[kid] = (algorithm, KINDS[algorithm][0]())

    def jwk(self, kid):
        algorithm, key = self.keys[kid]
        return {**json.loads(KINDS[algorithm][1].to_jwk(key.public_key())), "kid": kid, "use": "sig", "alg": algorithm}

    def jwks(self, *kids):
        return json.dumps({"keys": [self.jwk(kid) for kid in kids or self.keys]})

    def claims(self, definition, **others):
        now = int(time.time())
        return {
            "iss": ISSUER, "aud": "portcullis", "iat": now, "exp": now + 3600, "tool_id": "acme.example/note",
            "tool_version": "1.0.0", "tool_definition": definition, "scope": "notes.write", **others,
        }

    def token(self, kid, claims):
        algorithm, key = self.keys[kid]
        return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid})


def vouched(tool, token):
    return {**tool, "_meta": {MEMBER: {"voucher": token}}}


def definition_of(place, tool):
    """The hash of a definition, as the program tells it."""
    file = place.root / "definition.json"
    file.write_text(json.dumps(tool))
    return json.loads(place.command("verify", str(file), "--json", check=False).stdout)["definition"]


def standing_of(place, tool):
    """How a definition stands in one word, and why."""
    file = place.root / "definition.json"
    file.write_text(json.dumps(tool))
    report = json.loads(place.command("verify", str(file), "--json", check=False).stdout)
    return report["standing"], report["reason"] or ""


def at_terminal(place, *words, typed="yes\n"):
    """Runs a command at a terminal that no agent has, says yes there, and returns what was seen and the exit code."""
    job, result = place.root / "job.json", place.root / "seen.json"
    result.unlink(missing_ok=True)
    job.write_text(json.dumps({
        "command": [PORTCULLIS, *map(str, words)], "steps": [["Type yes:", typed]], "detached": True,
        "result": str(result), "seconds": LONGEST,
    }))
    subprocess.run([sys.executable, str(TERMINAL), str(job)], env=place.environment(), cwd=place.workspace, check=True)
    limit = time.monotonic() + LONGEST
    while not result.exists():
        if time.monotonic() > limit:
            raise AssertionError(f"`{words}` said nothing at its terminal")
        time.sleep(0.02)
    seen = json.loads(result.read_text())
    return seen["output"], seen["status"]


class TrustCase(Case):
    """A server whose list stands in a file, a host, and documents on the web."""

    def setUp(self):
        super().setUp()
        self.place.settings(SETTINGS)
        self.record = self.place.root / "record"
        self.documents = Documents()
        self.addCleanup(self.documents.close)

    def lists(self, *tools):
        (self.place.root / "record.tools").write_text(json.dumps(tools))

    def begin(self, *choices):
        peer = self.peer(scripted("lists-file", self.record))
        answers = iter(choices)
        peer.questions = []

        def answer(message):
            peer.questions.append(message["params"]["message"])
            return {"action": "accept", "content": {"answer": next(answers)}}

        peer.answers["elicitation/create"] = answer
        peer.begin(FORMS)
        return peer

    def seen(self):
        """The state of the tool and why, as the command tells it."""
        report = json.loads(self.place.command("tools", "list", "--json").stdout)
        return report["state"], " ".join(report["reasons"])

    def age(self, seconds):
        """Makes all that was fetched older."""
        store = sqlite3.connect(self.place.state / "portcullis.db", timeout=30)
        micros = seconds * 1_000_000
        with store:
            store.execute("UPDATE fetches SET got = got - ?1, tried = tried - ?1", (micros,))
        store.close()
