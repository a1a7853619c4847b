"""What the tests share: a place of their own, the gateway in front of a server, and a host that speaks plain JSON."""

import json
import os
import queue
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PORTCULLIS = os.environ["PORTCULLIS_PROGRAM"]
TOOLS = Path(os.environ["PORTCULLIS_TOOLS"])
# Long, for it is only reached where something hangs, and machines may be busy.
LONGEST = 60.0

STATEFUL = "2025-11-25"
STATELESS = "2026-07-28"
META = "io.modelcontextprotocol/"

SETTINGS = """[asking]
wait = {wait}
"""


class Place:
    """A workspace, a home folder and a store that nobody else has."""

    def __init__(self, wait):
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="portcullis-end-to-end-")))
        self.workspace = self.root / "work"
        self.home = self.root / "home"
        self.state = self.root / "state"
        for folder in (self.workspace, self.home, self.state):
            folder.mkdir(mode=0o700)
        self.settings(SETTINGS.format(wait=wait))

    def wait_briefly(self):
        """Calls that nobody answers for are refused soon."""
        self.settings(SETTINGS.format(wait=1))

    def settings(self, text):
        # Most tests are not about tools that nobody approved; test_tools.py is.
        if "[tools]" not in text:
            text += '\n[tools]\nunverified = "warn"\n'
        (self.state / "portcullis.toml").write_text(text)

    def environment(self):
        return {
            "PATH": f"{TOOLS / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PORTCULLIS_HOME": str(self.state),
            "MEMORY_FILE_PATH": str(self.root / "memory.jsonl"),
        }

    def write(self, name, text):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def gateway(self, server, options=()):
        """The command that guards a server."""
        return [PORTCULLIS, "run", "--workspace", str(self.workspace), *options, "--", *server]

    def command(self, *words, check=True):
        """Runs another command of the program, on the same store."""
        done = subprocess.run(
            [PORTCULLIS, *words],
            env=self.environment(),
            cwd=self.workspace,
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"portcullis {' '.join(words)} failed: {done.stdout}{done.stderr}")
        return done

    def audit(self, kind=None):
        """What the log says, oldest first."""
        store = sqlite3.connect(f"file:{self.state / 'portcullis.db'}?mode=ro", uri=True)
        try:
            rows = store.execute("SELECT kind, body FROM audit ORDER BY sequence").fetchall()
        finally:
            store.close()
        return [json.loads(body) for found, body in rows if kind in (None, found)]

    def decisions(self, tool=None):
        """What was decided about calls, oldest first."""
        return [v["decision"] for v in self.audit("verdict") if tool in (None, v["tool"])]

    def sessions(self):
        store = sqlite3.connect(f"file:{self.state / 'portcullis.db'}?mode=ro", uri=True)
        try:
            return [row[0] for row in store.execute("SELECT id FROM sessions ORDER BY started")]
        finally:
            store.close()

    def questions(self):
        """How questions stand, and how many calls wait for each."""
        store = sqlite3.connect(f"file:{self.state / 'portcullis.db'}?mode=ro", uri=True)
        try:
            return store.execute("SELECT status, waiting FROM questions ORDER BY id").fetchall()
        finally:
            store.close()

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)


def scripted(behaviour, *words):
    """The command of a small server that behaves as it is told."""
    return [sys.executable, "-S", str(HERE / "servers" / "scripted.py"), behaviour, *map(str, words)]


class Peer:
    """A host that speaks plain JSON with the gateway, and says exactly what it is told to say."""

    def __init__(self, command, environment, folder):
        self.process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.arrived = queue.Queue()
        self.seen = []
        self.notes = []
        self.answers = {}
        self.next_id = 0
        self.stateless = False
        self.capabilities = {}
        self.threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._complaints, daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def answer_with(self, *choices):
        """Answers questions with these, one after the other, and keeps what was asked in `questions`."""
        left = iter(choices)
        self.questions = []

        def answer(message):
            self.questions.append(message["params"]["message"])
            return {"action": "accept", "content": {"answer": next(left)}}

        self.answers["elicitation/create"] = answer

    def _read(self):
        for line in self.process.stdout:
            self.arrived.put(line)
        self.arrived.put(None)

    def _complaints(self):
        for line in self.process.stderr:
            self.notes.append(line.decode(errors="replace").rstrip("\n"))

    # What is said.

    def send_bytes(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params=None):
        self.send({"method": method, **({} if params is None else {"params": params})})

    def request(self, method, params=None, identity=None):
        """Sends a request and returns its id."""
        if identity is None:
            self.next_id += 1
            identity = self.next_id
        params = dict(params or {})
        if self.stateless:
            meta = {
                META + "protocolVersion": STATELESS,
                META + "clientCapabilities": self.capabilities,
                META + "clientInfo": {"name": "end-to-end", "version": "1"},
            }
            params["_meta"] = {**meta, **params.get("_meta", {})}
        self.send({"id": identity, "method": method, "params": params})
        return identity

    # What is heard.

    def next(self, timeout=LONGEST):
        """The next message, or None where the gateway has ended."""
        line = self.arrived.get(timeout=timeout)
        if line is None:
            return None
        message = json.loads(line)
        self.seen.append(message)
        return message

    def wait(self, fits, timeout=LONGEST):
        """The next message that fits. Questions are answered on the way, where answers were prepared."""
        until = time.monotonic() + timeout
        while True:
            left = until - time.monotonic()
            try:
                message = self.next(max(left, 0.01))
            except queue.Empty:
                raise AssertionError(f"nothing came in {timeout} s; notes: {self.notes[-20:]}") from None
            if message is None:
                raise AssertionError(f"the gateway has ended; notes: {self.notes[-20:]}")
            if fits(message):
                return message
            self._answer(message)

    def _answer(self, message):
        answer = self.answers.get(message.get("method"))
        if answer is not None and "id" in message:
            result = answer(message) if callable(answer) else answer
            if result is not None:
                self.send({"id": message["id"], "result": result})

    def answer_to(self, identity, timeout=LONGEST):
        """The answer to a request of ours, whole."""
        return self.wait(lambda m: m.get("id") == identity and "method" not in m, timeout)

    def ask(self, method, params=None, timeout=LONGEST):
        """Sends a request and returns its result, or its failure."""
        answer = self.answer_to(self.request(method, params), timeout)
        return answer["result"] if "result" in answer else answer["error"]

    def begin(self, capabilities=None, version=STATEFUL):
        """The greeting of the era with sessions."""
        params = {
            "protocolVersion": version,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "end-to-end", "version": "1"},
        }
        result = self.ask("initialize", params)
        self.notify("notifications/initialized")
        return result

    def call(self, tool, arguments=None, timeout=LONGEST):
        return self.ask("tools/call", {"name": tool, "arguments": arguments or {}}, timeout)

    def choose(self, choice):
        """Answers each question in this way from now on."""
        self.answers["elicitation/create"] = {"action": "accept", "content": {"answer": choice}}

    def choose_for_gateway(self, choice):
        """The same, and leaves questions of the server open."""
        given = {"action": "accept", "content": {"answer": choice}}
        ours = "Portcullis asks. "
        self.answers["elicitation/create"] = lambda m: given if m["params"]["message"].startswith(ours) else None

    def until_noted(self, text, timeout=LONGEST):
        until = time.monotonic() + timeout
        while not any(text in note for note in self.notes):
            if time.monotonic() > until:
                raise AssertionError(f"`{text}` was not noted: {self.notes[-20:]}")
            time.sleep(0.02)

    def most_memory(self):
        """The most memory that the gateway has had, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM:"))

    def leave(self, timeout=LONGEST):
        """Closes the gateway's input, as hosts do, and says how it ended."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self.ended(timeout)

    def ended(self, timeout=LONGEST):
        status = self.process.wait(timeout)
        for thread in self.threads:
            thread.join(timeout)
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for thread in self.threads:
            thread.join(LONGEST)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


def until(holds, what):
    """Waits until something holds, and says what it is if it never does."""
    limit = time.monotonic() + LONGEST
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > limit:
            raise AssertionError(f"this never came: {what() if callable(what) else what}")
        time.sleep(0.02)


def text_of(result):
    """The texts of a result of a tool."""
    return "\n".join(item["text"] for item in result.get("content", []) if item.get("type") == "text")


class Case(unittest.TestCase):
    """A test with a place of its own, which leaves nothing behind."""

    # How many seconds calls wait for an answer. Long, so that a busy machine changes nothing.
    wait = 50

    def setUp(self):
        self.place = Place(self.wait)
        self.addCleanup(self.place.remove)

    def peer(self, server, options=()):
        """A host of plain JSON, with a gateway and a server behind it."""
        peer = Peer(self.place.gateway(server, options), self.place.environment(), self.place.workspace)
        self.addCleanup(peer.kill)
        return peer

    def direct(self, server):
        """The same without a gateway."""
        peer = Peer(server, self.place.environment(), self.place.workspace)
        self.addCleanup(peer.kill)
        return peer


FORMS = {"elicitation": {}}
