"""The servers that are tested, and the gateway in front of them."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from rules import add_rules
from suite import LONGEST, NODE, SERVERS, TOOLS

PORTCULLIS = os.environ["PORTCULLIS_PROGRAM"]
PIECES = TOOLS / "pieces"

# The servers are in no catalogue, so their tools are thought to do the worst that their names allow, and what they answer
# may be secret or anybody's word. These rules let pass what the scenarios do; all else is asked about, and nobody answers.
RULES = [
    "allow read from conformance:** to ctxt carrying secret, untrusted",
    "allow write from ctxt to conformance:** carrying secret, untrusted",
    "allow exec from ctxt to conformance:** carrying secret, untrusted",
    # What `http-standard-headers` has for resources.
    'allow read from "/path/to/file name.txt" to ctxt carrying secret, untrusted',
    "allow read from https://example.com/resource to ctxt carrying secret, untrusted",
]


@contextmanager
def listening(command, environment=None, folder=None):
    """A program that says where it listens, for as long as it is needed."""
    with tempfile.TemporaryFile("w+") as complaints:
        program = subprocess.Popen(
            list(map(str, command)),
            env={**os.environ, **(environment or {})},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        )
        too_slow = threading.Timer(LONGEST, program.kill)
        too_slow.start()
        try:
            address = next((found[1] for line in program.stdout if (found := re.match(r"listening on (\S+)", line))), None)
            if address is None:
                complaints.seek(0)
                raise AssertionError(f"{command[0]} does not listen: {complaints.read()[-2000:]}")
            yield address
        finally:
            too_slow.cancel()
            program.send_signal(signal.SIGTERM)
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
            program.stdout.close()


class Reached:
    """What reached the server, as it has noted itself."""

    def __init__(self, folder):
        self.file = Path(folder) / "reached.jsonl"

    def environment(self):
        return {"CONFORMANCE_REACHED": str(self.file)}

    def lines(self):
        noted = self.file.read_text().splitlines() if self.file.exists() else []
        counted = Counter(f"{note['method']} {note.get('of', '')}".strip() for note in map(json.loads, noted))
        return sorted(line if count == 1 else f"{line} ({count} times)" for line, count in counted.items())


def piece(name):
    return PIECES / name


@contextmanager
def direct(revision, folder):
    """A server without anything in front of it."""
    reached = Reached(folder)
    with listening([NODE, piece("servers") / SERVERS[revision]], reached.environment()) as address:
        yield address, reached


@contextmanager
def through_gateway(revision, folder, store):
    """The same server behind the gateway, over HTTP."""
    with direct(revision, folder) as (server, reached), gateway(folder, store, f"url = {json.dumps(server)}") as address:
        yield address, reached


@contextmanager
def through_gateway_to_stdio(revision, folder, store):
    """The same server behind the gateway, which starts it."""
    reached = Reached(folder)
    command = [str(NODE), str(piece("servers") / SERVERS[revision]), "--stdio"]
    server = f'command = {json.dumps(command)}\npass = ["CONFORMANCE_REACHED"]'
    with gateway(folder, store, server, reached.environment()) as address:
        yield address, reached


@contextmanager
def gateway(folder, store, server, environment=None):
    state = Path(folder) / "state"
    shutil.copytree(store, state)
    settings = Path(folder) / "serve.toml"
    settings.write_text(f"[servers.conformance]\n{server}\n")
    command = [PORTCULLIS, "serve", "--listen", "127.0.0.1:0", "--without-token", "--config", settings]
    surroundings = {"HOME": str(folder), "PORTCULLIS_HOME": str(state), **(environment or {})}
    with listening(command, surroundings, folder) as base:
        yield f"{base.rstrip('/')}/servers/conformance"


def prepare_store(folder):
    """A store with the rules, which is copied for each gateway."""
    state = Path(folder) / "prepared"
    state.mkdir(mode=0o700)
    # A call that is asked about after all is refused soon.
    (state / "portcullis.toml").write_text('[asking]\nwait = 1\nchannel = "terminal"\n')
    add_rules(PORTCULLIS, state, RULES, folder)
    return state
