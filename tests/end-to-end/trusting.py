"""What tests of trust share: an identity provider of its own, a web server of documents, and a person at a terminal."""

import datetime
import http.server
import ipaddress
import json
import sqlite3
import ssl
import threading
import time

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

import serving
from harness import FORMS, Case, scripted

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


class Authority:
    """Somebody who issues certificates for this machine."""

    def __init__(self, organisation, folder):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation),
            x509.NameAttribute(NameOID.COMMON_NAME, f"{organisation} R1"),
        ])
        built = self.begun(self.name, self.key).add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        self.pem = built.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()

    def begun(self, name, key):
        now = datetime.datetime.now(datetime.timezone.utc)
        return (
            x509.CertificateBuilder().subject_name(name).issuer_name(self.name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=30))
        )

    def certificate(self):
        """A file with a new key and its certificate."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "desk")])
        here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        signed = self.begun(name, key).add_extension(here, False).sign(self.key, hashes.SHA256())
        form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        file = self.folder / f"{x509.random_serial_number()}.pem"
        file.write_bytes(key.private_bytes(*form) + signed.public_bytes(serialization.Encoding.PEM))
        return file


class Desk:
    """A server of tools behind TLS. It opens a connection for every request, so that another certificate is seen at once."""

    def __init__(self, tools, certificate):
        self.calls, self.asked, self.is_broken = [], [], False
        desk = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                desk.asked.append(asked["method"])
                if desk.is_broken:
                    self.send_response(500)
                    self.end_headers()
                    return
                if "id" not in asked:
                    self.send_response(202)
                    self.end_headers()
                    return
                body = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": desk.answer(asked)}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.send_response(405)
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def get_request(self):
                connection, address = super().get_request()
                return desk.context.wrap_socket(connection, server_side=True), address

        self.tools = tools
        self.show(certificate)
        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}/mcp"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def show(self, certificate):
        """From now on, this certificate. Nothing of what was agreed under another one is known any more."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.context = context

    def answer(self, asked):
        if asked["method"] == "initialize":
            served = {"name": "desk", "version": "1"}
            return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": served}
        if asked["method"] == "tools/list":
            return {"tools": self.tools}
        if asked["method"] == "ping":
            return {}
        self.calls.append(asked["params"])
        return {"content": [{"type": "text", "text": "noted"}]}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


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
    return serving.at_terminal(place, [str(word) for word in words], [["Type yes:", typed]])


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
        peer.answer_with(*choices)
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
