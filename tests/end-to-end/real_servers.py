"""The real servers that the tests start, in the way in which users start them, and a call that each can answer."""

import subprocess
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from harness import STATEFUL, STATELESS


# Where the server keeps what it remembers, which is beside its program otherwise.
PASS_MEMORY = ("--pass", "MEMORY_FILE_PATH")


@dataclass
class Sample:
    """A server, the era that it speaks with a host that knows both, and a call to it."""

    command: list
    era: str
    tool: str
    arguments: dict
    gives: str
    options: tuple = ()


class Page(BaseHTTPRequestHandler):
    """A page on this machine, the same for every address."""

    def do_GET(self):
        body = b"<html><body><p>The quick brown fox of the local page</p></body></html>"
        self.server.visited.append(self.path)
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def serve_page(case):
    """Serves pages until the test is over, and returns their address and what was visited."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    server.visited = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    case.addCleanup(thread.join)
    case.addCleanup(server.server_close)
    case.addCleanup(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}", server.visited


def npx(name, *words):
    return ["npx", "-y", f"@modelcontextprotocol/server-{name}", *words]


def filesystem(place):
    return npx("filesystem", str(place.workspace))


def fetch():
    return ["uvx", "mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips"]


def sqlite(place):
    return ["uvx", "mcp-server-sqlite", "--db-path", str(place.workspace / "kept.db")]


def sample(name, case):
    """The sample of this name, with what it needs."""
    place = case.place
    work = str(place.workspace)
    if name == "filesystem":
        path = place.write("notes.txt", "hello from a file")
        return Sample(filesystem(place), STATEFUL, "read_text_file", {"path": path}, "hello from a file")
    if name == "git":
        subprocess.run(["git", "init", "-q", "-b", "trunk", work], check=True)
        command = ["uvx", "mcp-server-git", "--repository", work]
        return Sample(command, STATELESS, "git_status", {"repo_path": work}, "On branch trunk")
    if name == "fetch":
        address, _ = serve_page(case)
        return Sample(fetch(), STATELESS, "fetch", {"url": f"{address}/page"}, "The quick brown fox")
    if name == "memory":
        entity = {"name": "ada", "entityType": "person", "observations": ["counts"]}
        call = {"entities": [entity]}
        return Sample(npx("memory"), STATEFUL, "create_entities", call, "ada", PASS_MEMORY)
    if name == "sqlite":
        query = "SELECT 6 * 7 AS answer"
        return Sample(sqlite(place), STATEFUL, "read_query", {"query": query}, "42")
    return Sample(npx("everything"), STATEFUL, "echo", {"message": "hi"}, "Echo: hi")
