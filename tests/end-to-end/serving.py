"""`portcullis serve` for tests: the program, hosts that speak plain HTTP with it, and servers that it reaches over HTTP."""

import http.client
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from harness import HERE, LONGEST, META, PORTCULLIS, STATEFUL, STATELESS, Case, Peer, until

JSON = "application/json"
BOTH = "application/json, text/event-stream"


def runs(process):
    """Whether a process runs; one that nobody has asked how it ended does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(process):
    """The processes that a process has started, and those that they have started."""
    found, todo = [], [process]
    while todo:
        for listed in Path(f"/proc/{todo.pop()}/task").glob("*/children"):
            try:
                direct = [int(child) for child in listed.read_text().split()]
            except (FileNotFoundError, ProcessLookupError):
                continue
            found += direct
            todo += direct
    return [child for child in found if runs(child)]


def table(name, command=None, **more):
    """A server as settings name it."""
    members = {**({} if command is None else {"command": command}), **more}

    def value(item):
        if isinstance(item, dict):
            return "{" + ", ".join(f"{json.dumps(key)} = {value(held)}" for key, held in item.items()) + "}"
        return json.dumps(item)

    return f"[servers.{name}]\n" + "".join(f"{key} = {value(item)}\n" for key, item in members.items())


TERMINAL = HERE.parent.parent / "crates" / "portcullis" / "tests" / "terminal" / "terminal.py"


def at_terminal(place, words, steps, detached=True):
    """Runs a command of the program in a terminal, and says what was shown and how it ended.

    One that is not detached is opened by this process, as an agent would; otherwise a person opens it.
    """
    job, result = place.root / "terminal.json", place.root / "terminal.result"
    result.unlink(missing_ok=True)
    job.write_text(json.dumps({
        "command": [PORTCULLIS, *words], "steps": steps, "detached": detached, "result": str(result), "seconds": LONGEST,
    }))
    subprocess.run(
        [sys.executable, str(TERMINAL), str(job)], env=place.environment(), cwd=place.workspace, check=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )
    until(result.exists, "the end of the terminal")
    seen = json.loads(result.read_text())
    return seen["output"], seen["status"]


class Serve:
    """A `portcullis serve` that runs. Its servers run in the place's workspace."""

    def __init__(self, place, options=(), listen="127.0.0.1:0", environment=None):
        self.place = place
        self.process = subprocess.Popen(
            [PORTCULLIS, "serve", "--listen", listen, "--workspace", str(place.workspace), *options],
            env={**place.environment(), **(environment or {})},
            cwd=place.workspace,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.notes = []
        self.reader = threading.Thread(target=self._complaints, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            self.kill()
            raise AssertionError(f"serve did not begin: {line}{self.notes}")
        self.address = line.split("http://")[1].strip()
        self.port = int(self.address.rpartition(":")[2])

    def _complaints(self):
        for line in self.process.stderr:
            self.notes.append(line.rstrip("\n"))

    def token(self):
        return self.place.command("serve", "--print-token").stdout.strip()

    def url(self, path):
        return f"http://{self.address}{path}"

    def noted(self, text):
        return until(lambda: any(text in note for note in self.notes), lambda: f"{text}: {self.notes[-20:]}")

    def end(self):
        """Tells it to end, and says how it ended."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self):
        status = self.process.wait(LONGEST)
        self.reader.join(LONGEST)
        return status

    def kill(self):
        left = children(self.process.pid) if self.process.poll() is None else []
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for child in left:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.reader.join(LONGEST)
        self.process.stdout.close()
        self.process.stderr.close()


class Reply:
    """What came of a request: a status, and a message or a stream of them."""

    def __init__(self, connection, response):
        self.connection = connection
        self.response = response
        self.status = response.status
        self.headers = response.headers
        self.is_stream = (response.headers.get("content-type") or "").startswith("text/event-stream")
        self.last_event = None
        self.events = []

    def body(self):
        """The message, where there is no stream."""
        text = self.response.read()
        self.close()
        return json.loads(text) if text else None

    def messages(self):
        """What comes, as it comes."""
        if not self.is_stream:
            message = self.body()
            if message is not None:
                yield message
            return
        data = []
        while True:
            try:
                line = self.response.readline()
            except http.client.IncompleteRead:
                return
            if not line:
                return
            line = line.decode().rstrip("\r\n")
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "id":
                self.last_event = value
                self.events.append(value)
            elif field == "data":
                data.append(value)
            elif not line and data:
                text, data = "\n".join(data), []
                if text:
                    yield json.loads(text)

    def close(self):
        self.response.close()
        self.connection.close()


class Web:
    """A host that speaks plain HTTP, and says exactly what it is told to say."""

    def __init__(self, serve, path="/mcp", headers=None):
        self.serve = serve
        self.path = path
        self.headers = {"Authorization": f"Bearer {serve.token()}", **(headers or {})}
        self.session = None
        self.version = None
        self.next_id = 0
        self.answers = {}
        self.seen = []
        self.stateless = False
        self.capabilities = {}

    def raw(self, method, body=None, headers=None, path=None):
        """Sends these headers and no others but those that HTTP needs."""
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port, timeout=LONGEST)
        connection.request(method, path or self.path, body=body, headers=headers or {})
        return Reply(connection, connection.getresponse())

    def knock(self, method="POST", body=None, path=None, without=(), **more):
        """The same with usual headers, of which some are left out or changed; `_` in names is `-`."""
        headers = {"Content-Type": JSON, "Accept": BOTH, **self.headers}
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        if self.version:
            headers["MCP-Protocol-Version"] = self.version
        headers.update({name.replace("_", "-"): value for name, value in more.items()})
        headers = {name: value for name, value in headers.items() if name not in without}
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        return self.raw(method, body, headers, path)

    def request(self, method, params=None, identity=None):
        """A request that is not sent yet, and the headers that it needs."""
        if identity is None:
            self.next_id += 1
            identity = self.next_id
        params = dict(params or {})
        headers = {}
        if self.stateless:
            meta = {
                META + "protocolVersion": STATELESS,
                META + "clientCapabilities": self.capabilities,
                META + "clientInfo": {"name": "end-to-end", "version": "1"},
            }
            params["_meta"] = {**meta, **params.get("_meta", {})}
            headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": method}
            name = params.get("name") if method in ("tools/call", "prompts/get") else params.get("uri")
            if name is not None:
                headers["Mcp-Name"] = name
        return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}, headers

    def send(self, method, params=None, identity=None):
        """Sends a request, and returns what comes of it."""
        message, headers = self.request(method, params, identity)
        return self.knock(body=message, **headers)

    def tell(self, message):
        """Sends what wants no answer."""
        reply = self.knock(body={"jsonrpc": "2.0", **message})
        reply.response.read()
        reply.close()
        if reply.status != 202:
            raise AssertionError(f"status {reply.status} for {message}")

    def answer(self, message):
        """Answers a question, where an answer was prepared."""
        answer = self.answers.get(message.get("method"))
        if answer is not None and "id" in message:
            result = answer(message) if callable(answer) else answer
            if result is not None:
                self.tell({"id": message["id"], "result": result})

    def hear(self, reply):
        """The answer that comes. Questions before it are answered, where answers were prepared."""
        for message in reply.messages():
            self.seen.append(message)
            if "method" not in message:
                return message
            self.answer(message)
        raise AssertionError(f"no answer came: {self.seen[-5:]}; notes: {self.serve.notes[-20:]}")

    def ask(self, method, params=None):
        """Sends a request and returns its result, or its failure."""
        reply = self.send(method, params)
        answer = self.hear(reply)
        reply.close()
        return answer["result"] if "result" in answer else answer["error"]

    def begin(self, capabilities=None, version=STATEFUL):
        params = {
            "protocolVersion": version,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "end-to-end", "version": "1"},
        }
        reply = self.send("initialize", params)
        answer = self.hear(reply)
        if "result" not in answer:
            raise AssertionError(f"{answer}; notes: {self.serve.notes[-20:]}")
        self.session = reply.headers["mcp-session-id"]
        self.version = answer["result"]["protocolVersion"]
        self.tell({"method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool, arguments=None):
        return self.ask("tools/call", {"name": tool, "arguments": arguments or {}})

    def choose(self, choice):
        """Answers each question in this way from now on."""
        self.answers["elicitation/create"] = {"action": "accept", "content": {"answer": choice}}

    def given(self, asked, choice):
        """What a host without sessions sends along when it asks again, if the user chose this."""
        responses = {"portcullis": {"action": "accept", "content": {"answer": choice}}}
        return {"inputResponses": responses, "requestState": asked["requestState"]}

    def end(self):
        reply = self.knock("DELETE", without=("Content-Type",))
        reply.response.read()
        reply.close()
        return reply.status


class Listener:
    """Reads a stream in a thread."""

    def __init__(self, reply, host=None):
        self.reply = reply
        self.arrived = queue.Queue()
        self.host = host
        self.seen = []
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        try:
            for message in self.reply.messages():
                self.arrived.put(message)
                if self.host:
                    self.host.answer(message)
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass
        self.arrived.put(None)

    def wait(self, fits=lambda message: True):
        """The next message that fits; None where the stream has ended."""
        while True:
            try:
                message = self.arrived.get(timeout=LONGEST)
            except queue.Empty:
                raise AssertionError(f"nothing came: {self.seen[-5:]}") from None
            if message is None or fits(message):
                return message
            self.seen.append(message)

    def close(self):
        """Breaks the stream."""
        try:
            self.reply.connection.sock and self.reply.connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        raw = getattr(self.reply.response.fp, "raw", None)
        try:
            raw is not None and raw._sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass
        self.thread.join(LONGEST)
        self.reply.close()


class Upstream:
    """A server that is reached over HTTP, on a port that it can have again."""

    def __init__(self, command, place, port=None):
        self.command = command
        self.place = place
        self.port = port or free_port()
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            env={**self.place.environment(), "PORT": str(self.port)},
            cwd=self.place.workspace,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, f"the upstream at port {self.port}")

    def _answers(self):
        if self.process.poll() is not None:
            raise AssertionError("the upstream has ended")
        try:
            socket.create_connection(("127.0.0.1", self.port), LONGEST).close()
            return True
        except OSError:
            return False

    def url(self):
        return f"http://127.0.0.1:{self.port}/mcp"

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class ServeCase(Case):
    """A test with a `serve` of its own."""

    def named(self, *tables, wait=None):
        """Names the servers."""
        self.place.settings(f"[asking]\nwait = {wait or self.wait}\n" + "".join(tables))

    def serve(self, *options, **more):
        serve = Serve(self.place, options, **more)
        self.addCleanup(serve.kill)
        return serve

    def listener(self, reply, host=None):
        listener = Listener(reply, host)
        self.addCleanup(listener.close)
        return listener

    def bridge(self, *words):
        """`portcullis connect`, with a host of plain JSON in front."""
        command = [PORTCULLIS, "connect", "--workspace", str(self.place.workspace), *words]
        peer = Peer(command, self.place.environment(), self.place.workspace)
        self.addCleanup(peer.kill)
        return peer

    def upstream(self, command, **more):
        upstream = Upstream(command, self.place, **more)
        self.addCleanup(upstream.kill)
        return upstream


@asynccontextmanager
async def host_over_http(serve, path, person=None, mode="auto", headers=None, **callbacks):
    """A host made with the Python SDK, that speaks with `serve` over HTTP."""
    sent = {"Authorization": f"Bearer {serve.token()}", **(headers or {})}
    timeout = httpx2.Timeout(LONGEST)
    async with httpx2.AsyncClient(headers=sent, timeout=timeout) as web:
        transport = streamable_http_client(serve.url(path), http_client=web)
        async with Client(
            transport, mode=mode, elicitation_callback=person, read_timeout_seconds=LONGEST, **callbacks
        ) as client:
            yield client


EVERYTHING_OVER_HTTP = ["npx", "-y", "@modelcontextprotocol/server-everything", "streamableHttp"]
PYTHON_OVER_HTTP = [sys.executable, str(HERE / "servers" / "over_http.py")]
