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
from compare import DIRECT, Named, compare
from suite import NODE, STATEFUL, STATELESS, against_server, required, with_client

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "baseline.json"
DIFFERENCES = HERE / "differences.json"
REVISIONS = [STATEFUL, STATELESS]
# Without anything between; through the gateway to the same server over HTTP; the same with a server that it starts.
WAYS = [DIRECT, "gateway", "stdio"]


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
    named = Named(json.loads(DIFFERENCES.read_text()))
    rows, wrong = [], []
    for title, ways in runs.items():
        expected = dict(baseline.get(title, {}))
        if options.pattern:
            expected.pop("reached", None)
        else:
            missing = expected.get("scenarios", {}).keys() - ways[DIRECT].found.keys()
            wrong += [f"{title}: {name} is in the baseline and was not run" for name in sorted(missing)]
        more, complaints = compare(title, ways, expected, named)
        rows += more
        wrong += complaints
    if not options.pattern and len(options.ways) == len(WAYS):
        wrong += named.unfound()
    table(rows, max((list(ways) for ways in runs.values()), key=len))
    for complaint in wrong:
        print(f"DIFFERS: {complaint}")
    scenarios = len(rows)
    print(f"{scenarios} scenarios in {time.monotonic() - began:.0f} s: {'as expected' if not wrong else 'not as expected'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
