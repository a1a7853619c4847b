"""A person who logs in with `portcullis login`, and a host behind `portcullis run --url`: a client for the suite's scenarios of OAuth.

Usage: login_client.py URL, with what the suite tells in MCP_CONFORMANCE_CONTEXT and MCP_CONFORMANCE_SCENARIO. The revision is in
LOGIN_REVISION, and what came of the logins goes to the file that LOGIN_RESULT names.
"""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

from rules import SECONDS, TERMINAL

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "end-to-end"))
from harness import FORMS, PORTCULLIS, STATELESS, Peer, Place, until  # noqa: E402

# Where the suite thinks that the document lies which says who we are.
DOCUMENT = "https://conformance-test.local/client-metadata.json"
# A person who was told twice that it is not enough stops trying.
MOST_LOGINS = 3


class Person:
    """Sits at a terminal, with a browser that follows wherever it is sent."""

    def __init__(self, place):
        self.place = place
        self.opened = place.root / "opened"
        self.over = threading.Event()
        tools = place.root / "bin"
        tools.mkdir()
        script = tools / "xdg-open"
        script.write_text(f'#!/bin/sh\nprintf %s "$1" > "{self.opened}.part" && mv "{self.opened}.part" "{self.opened}"\n')
        script.chmod(0o755)
        plain = place.environment
        place.environment = lambda: {**plain(), "PATH": f"{tools}:{plain()['PATH']}"}
        threading.Thread(target=self._browse, daemon=True).start()

    def _browse(self):
        while not self.over.wait(0.02):
            if self.opened.exists():
                address = self.opened.read_text()
                self.opened.unlink()
                try:
                    urllib.request.urlopen(address, timeout=SECONDS).read()
                except urllib.error.HTTPError as refused:
                    print("the browser was refused:", refused.code, file=sys.stderr)

    def log_in(self, *words):
        """Says what was shown, and whether it worked."""
        job, result = self.place.root / "job.json", self.place.root / "result.json"
        result.unlink(missing_ok=True)
        command = [PORTCULLIS, "login", *words]
        job.write_text(json.dumps({
            "command": command, "steps": [["Type yes:", "yes\n"]], "detached": True, "result": str(result), "seconds": SECONDS,
        }))
        subprocess.run([sys.executable, str(TERMINAL), str(job)], env=self.place.environment(), cwd=self.place.workspace, check=True)
        until(result.exists, "the end of the terminal")
        seen = json.loads(result.read_text())
        print(seen["output"], file=sys.stderr)
        return seen["output"], seen["status"] == 0


def issuer_of(url):
    """Who gives out tokens for a server: a person who has an id from there knows it."""
    origin, path = re.match(r"(https?://[^/]+)(.*)", url).groups()
    for place in (f"/.well-known/oauth-protected-resource{path}", "/.well-known/oauth-protected-resource"):
        try:
            return json.load(urllib.request.urlopen(origin + place, timeout=SECONDS))["authorization_servers"][0]
        except urllib.error.HTTPError:
            continue
    raise AssertionError("the server says nothing of itself")


def use(place, url):
    """A host that calls each tool of the server; what it was told."""
    command = [PORTCULLIS, "run", "--workspace", str(place.workspace), "--url", url]
    host = Peer(command, place.environment(), place.workspace)
    told = []
    try:
        if os.environ["LOGIN_REVISION"] == STATELESS:
            host.stateless, host.capabilities = True, FORMS
        else:
            told.append(host.begin(FORMS))
        host.choose("session-1")
        told.append(host.ask("tools/list"))
        for tool in told[-1].get("tools", []):
            call = {"name": tool["name"], "arguments": {}}
            result = host.ask("tools/call", call)
            if result.get("resultType") == "input_required":
                given = {"portcullis": {"action": "accept", "content": {"answer": "session-1"}}}
                result = host.ask("tools/call", {**call, "inputResponses": given, "requestState": result["requestState"]})
            told.append(result)
    finally:
        host.kill()
    return json.dumps(told)


def main():
    url = sys.argv[-1]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    place = Place(50)
    person = Person(place)
    words = [url]
    if "cimd" in scenario:
        words += ["--client-document", DOCUMENT]
    if "pre-registration" in scenario:
        login = {"client_id": context["client_id"], "client_secret": context["client_secret"], "issuer": issuer_of(url)}
        members = ", ".join(f"{name} = {json.dumps(value)}" for name, value in login.items())
        place.settings(f"[servers.known]\nurl = {json.dumps(url)}\nlogin = {{ {members} }}\n")
        words = ["known"]
    shown, worked = person.log_in(*words)
    logins = 1
    while worked and logins <= MOST_LOGINS:
        told = use(place, url)
        wanted = re.search(r"--scope '([^']+)'", told)
        if not wanted and "log in" not in told or logins == MOST_LOGINS:
            break
        logins += 1
        shown, worked = person.log_in(*words, *(["--scope", wanted[1]] if wanted else []))
    person.over.set()
    Path(os.environ["LOGIN_RESULT"]).write_text(json.dumps({"worked": worked, "shown": shown}))
    place.remove()
    return 0 if worked else 1


if __name__ == "__main__":
    sys.exit(main())
