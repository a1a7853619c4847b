"""Tells ways apart: by the outcomes of checks, by what was seen with them, and by what reached the server."""

import json

DIRECT = "direct"
IN_FRONT = "The server conformance asks (this is not Portcullis): "


def told_apart(direct, other, allowed):
    """Where two ways differ, in words, without what is named as a difference by design."""
    complaints = []
    for line in sorted(set(direct.lines()) ^ set(other.lines())):
        complaints.append((line, f"{'only direct' if line in direct.lines() else 'only here'}: {line}"))
    for name in sorted(direct.facts.keys() & other.facts.keys()):
        where = first_difference(direct.facts[name], without_name(other.facts[name]))
        if where:
            complaints.append((name, f"{name}: {where}"))
    return [words for name, words in complaints if not allowed.covers(name)]


class Named:
    """Differences that are meant: the beginnings of their names, each with a reason, and which of them were found."""

    def __init__(self, differences):
        self.differences = differences
        self.found = set()

    def of(self, title):
        return NamedOf(self, title)

    def unfound(self):
        """A difference that is gone is to be named no longer."""
        known = {(title, name) for title, names in self.differences.items() for name in names}
        gone = sorted(known - self.found)
        return [f"{title}: {name} is named as a difference, and is none" for title, name in gone]


class NamedOf:
    def __init__(self, named, title):
        self.named = named
        self.title = title

    def covers(self, name):
        known = [start for start in self.named.differences.get(self.title, {}) if name.startswith(start)]
        self.named.found.update((self.title, start) for start in known)
        return bool(known)


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
        if lost := next((key for key in keys if key not in direct or key not in here), None):
            return f"{path}.{lost} is there only {'direct' if lost in direct else 'here'}"
        pairs = [(f"{path}.{key}", direct[key], here[key]) for key in keys]
    elif isinstance(direct, list) and isinstance(here, list) and len(direct) == len(here):
        pairs = [(f"{path}[{at}]", *pair) for at, pair in enumerate(zip(direct, here))]
    elif direct == here and type(direct) is type(here):
        return None
    else:
        return f"{path} is {json.dumps(here)[:300]}, and {json.dumps(direct)[:300]} direct"
    found = (first_difference(one, other, where) for where, one, other in pairs)
    return next((words for words in found if words), None)


def compare(title, runs, expected, named):
    """Compares the ways with each other and with the baseline. Gives the rows of the table, and what is wrong."""
    rows, wrong = [], []
    direct = runs[DIRECT]
    for name, result in sorted(direct.found.items()):
        row = [title, name]
        for way, run in runs.items():
            there = run.found.get(name)
            complaints = ["it was not run"] if there is None else []
            if there and way != DIRECT:
                complaints += told_apart(result, there, named.of(f"{title} {name}"))
            if there and way == DIRECT and there.lines() != expected.get("scenarios", {}).get(name):
                complaints += baseline_differs(there.lines(), expected.get("scenarios", {}).get(name))
            wrong += [f"{title} {name}, {way}: {complaint}" for complaint in complaints]
            row.append(counted(there) + (" !" if complaints else ""))
        rows.append(row)
    for way, run in runs.items():
        if run.reached is not None and "reached" in expected:
            meant = named.of(f"{title} reached") if way != DIRECT else Named({}).of(title)
            wrong += [f"{title}, {way}: {words}" for words in told_reached(run.reached, expected["reached"], meant)]
    return rows, wrong


def told_reached(reached, expected, allowed):
    """What reached the server and should not have, or the other way round."""
    lines = sorted(line for line in set(reached) ^ set(expected) if not allowed.covers(line))
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
