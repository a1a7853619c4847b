"""The conformance suite, direct and through the gateway: what passes has to be the same, and as the baseline says."""

import argparse
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import peers
from suite import NODE, STATEFUL, STATELESS, against_server, required, with_client

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "baseline.json"
DIFFERENCES = HERE / "differences.json"
REVISIONS = [STATEFUL, STATELESS]
DIRECT = "direct"
# Without anything between; through the gateway to the same server over HTTP; the same with a server that it starts.
WAYS = [DIRECT, "gateway", "stdio"]
IN_FRONT = "The server conformance asks (this is not Portcullis): "


class Run:
    """What one way of reaching a server or client has given: results by scenario, and what reached the server."""

    def __init__(self, found, reached=None):
        self.found = found
        self.reached = reached


def server_ways(revision, store):
    """The ways to a server, each with what makes it."""
    return {
        DIRECT: lambda place: peers.direct(revision, place),
        "gateway": lambda place: peers.through_gateway(revision, place, store),
        "stdio": lambda place: peers.through_gateway_to_stdio(revision, place, store),
    }


def run_servers(revision, folder, store, ways, chosen, everything):
    runs = {}
    for way, make in server_ways(revision, store).items():
        if way not in ways:
            continue
        place = Path(tempfile.mkdtemp(dir=folder))
        with make(place) as (address, reached):
            # One after the other: some scenarios wait for half a second, and not longer.
            if everything:
                found = against_server(address, revision)
            else:
                found = {name: against_server(address, revision, name)[name] for name in chosen}
            runs[way] = Run(found, reached.lines())
    return runs


def run_clients(revision, store, ways, chosen):
    command = f"{NODE} {peers.piece('clients') / 'client.mjs'}"
    known = {DIRECT: {}, "gateway": {"CONFORMANCE_GATEWAY": peers.PORTCULLIS, "CONFORMANCE_STORE": str(store)}}
    runs = {way: Run({}) for way in known if way in ways}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        waiting = {
            (way, name): pool.submit(with_client, command, revision, name, environment)
            for way, environment in known.items()
            if way in ways
            for name in chosen
        }
        for (way, name), result in waiting.items():
            runs[way].found[name] = result.result()
    return runs


def told_apart(direct, other, allowed):
    """Where two ways differ, in words, without what is named as a difference by design."""
    complaints = []
    for line in sorted(set(direct.lines()) ^ set(other.lines())):
        complaints.append((line, f"{'only direct' if line in direct.lines() else 'only here'}: {line}"))
    for name in sorted(direct.facts.keys() & other.facts.keys()):
        where = first_difference(direct.facts[name], without_name(other.facts[name]))
        if where:
            complaints.append((name, f"{name}: {where}"))
    return [words for name, words in complaints if not any(name.startswith(known) for known in allowed)]


def without_name(fact):
    """A fact without the words that the gateway puts in front of questions, so that no server can pose as it."""
    if isinstance(fact, list):
        return [without_name(item) for item in fact]
    if isinstance(fact, dict):
        return {key: without_name(item) for key, item in fact.items()}
    return fact.removeprefix(IN_FRONT) if isinstance(fact, str) else fact


def first_difference(direct, here, path="what was seen"):
    """Where two facts begin to differ, in words."""
    if isinstance(direct, dict) and isinstance(here, dict):
        keys = list(direct) + [key for key in here if key not in direct]
        pairs = [(f"{path}.{key}", direct.get(key), here.get(key)) for key in keys]
    elif isinstance(direct, list) and isinstance(here, list) and len(direct) == len(here):
        pairs = [(f"{path}[{at}]", *pair) for at, pair in enumerate(zip(direct, here))]
    elif direct == here and type(direct) is type(here):
        return None
    else:
        return f"{path} is {json.dumps(here)[:300]}, and {json.dumps(direct)[:300]} direct"
    found = (first_difference(one, other, where) for where, one, other in pairs)
    return next((words for words in found if words), None)


def compare(title, runs, expected, differences):
    """Compares the ways with each other and with the baseline. Gives the rows of the table, and what is wrong."""
    rows, wrong = [], []
    direct = runs[DIRECT]
    for name, result in sorted(direct.found.items()):
        row = [title, name]
        for way, run in runs.items():
            there = run.found.get(name)
            complaints = ["it was not run"] if there is None else []
            if there and way != DIRECT:
                complaints += told_apart(result, there, differences.get(f"{title} {name}", {}))
            if there and way == DIRECT and there.lines() != expected.get("scenarios", {}).get(name):
                complaints += baseline_differs(there.lines(), expected.get("scenarios", {}).get(name))
            wrong += [f"{title} {name}, {way}: {complaint}" for complaint in complaints]
            row.append(counted(there) + (" !" if complaints else ""))
        rows.append(row)
    for way, run in runs.items():
        if run.reached is not None and "reached" in expected:
            named = differences.get(f"{title} reached", {}) if way != DIRECT else {}
            wrong += [f"{title}, {way}: {words}" for words in told_reached(run.reached, expected["reached"], named)]
    return rows, wrong


def told_reached(reached, expected, allowed):
    """What reached the server and should not have, or the other way round."""
    lines = sorted(line for line in set(reached) ^ set(expected) if not any(line.startswith(name) for name in allowed))
    return [f"{'should not have reached' if line in reached else 'has not reached'} the server: {line}" for line in lines]


def baseline_differs(lines, expected):
    if expected is None:
        return ["it is not in the baseline"]
    here = [f"not in the baseline: {line}" for line in lines if line not in expected]
    return here + [f"only in the baseline: {line}" for line in expected if line not in lines]


def counted(result):
    if result is None:
        return "-"
    lines = list(result.outcomes.elements())
    passed = sum(line.endswith(": SUCCESS") for line in lines)
    judged = sum(not line.endswith(": SKIPPED") for line in lines)
    return f"{passed}/{judged}"


def table(rows, ways):
    rows = [["", "scenario", *ways], *rows]
    widths = [max(len(row[at]) if at < len(row) else 0 for row in rows) for at in range(max(map(len, rows)))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def choose(names, pattern):
    return [name for name in names if pattern is None or pattern in name]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern", nargs="?", help="only scenarios with this in their names")
    parser.add_argument("--ways", default=",".join(WAYS), help="which of direct, gateway, stdio [default: all]")
    parser.add_argument("--write-baseline", action="store_true", help="take what direct runs give as the baseline")
    options = parser.parse_args()
    options.ways = options.ways.split(",")
    if DIRECT not in options.ways or not set(options.ways) <= set(WAYS):
        parser.error(f"the ways are {', '.join(WAYS)}, and direct is what the others are compared with")
    return options


def run_all(options, folder):
    """The runs of both roles in both revisions, by title."""
    ways = options.ways
    store = peers.prepare_store(folder) if len(ways) > 1 else None
    runs = {}
    for revision in REVISIONS:
        known = required(revision)
        chosen = {role: choose(names, options.pattern) for role, names in known.items()}
        if chosen["server"]:
            everything = chosen["server"] == known["server"]
            runs[f"{revision} server"] = run_servers(revision, folder, store, ways, chosen["server"], everything)
        if chosen["client"]:
            runs[f"{revision} client"] = run_clients(revision, store, ways, chosen["client"])
    if not runs:
        sys.exit(f"no scenario has `{options.pattern}` in its name")
    return runs


def write_baseline(runs):
    baseline = {}
    for title, ways in runs.items():
        direct = ways[DIRECT]
        scenarios = {name: result.lines() for name, result in sorted(direct.found.items())}
        baseline[title] = {"scenarios": scenarios, **({"reached": direct.reached} if direct.reached else {})}
    BASELINE.write_text(json.dumps(baseline, indent=2) + "\n")


def main():
    options = arguments()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="portcullis-conformance-") as folder:
        runs = run_all(options, folder)
    if options.write_baseline:
        if options.pattern:
            sys.exit("a baseline is of all scenarios")
        write_baseline(runs)
    baseline = json.loads(BASELINE.read_text())
    differences = json.loads(DIFFERENCES.read_text())
    rows, wrong = [], []
    for title, ways in runs.items():
        expected = dict(baseline.get(title, {}))
        if options.pattern:
            expected.pop("reached", None)
        else:
            missing = expected.get("scenarios", {}).keys() - ways[DIRECT].found.keys()
            wrong += [f"{title}: {name} is in the baseline and was not run" for name in sorted(missing)]
        more, complaints = compare(title, ways, expected, differences)
        rows += more
        wrong += complaints
    table(rows, max((list(ways) for ways in runs.values()), key=len))
    for complaint in wrong:
        print(f"DIFFERS: {complaint}")
    scenarios = len(rows)
    print(f"{scenarios} scenarios in {time.monotonic() - began:.0f} s: {'as expected' if not wrong else 'not as expected'}")
    sys.exit(1 if wrong else 0)


main()
