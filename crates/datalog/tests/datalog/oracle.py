"""Solves programs with clingo, one JSON object a line on standard input: `program` and `expected`, the goals that our
engine reaches. Prints each program for which clingo sees it differently, and how many there were at the end."""

import json
import sys

import clingo


def goals(program):
    control = clingo.Control(["--warn=none"], message_limit=0)
    control.add("base", [], program)
    control.ground([("base", [])])
    found = []

    def keep(model):
        atoms = model.symbols(atoms=True)
        found.append(sorted(str(atom) for atom in atoms if atom.name in ("deny", "must_ask")))

    control.solve(on_model=keep)
    assert len(found) == 1, f"a stratified program has one model, this has {len(found)}"
    return found[0]


count = 0
for line in sys.stdin:
    case = json.loads(line)
    count += 1
    actual = goals(case["program"])
    if actual != sorted(case["expected"]):
        print(f"DIFFERENT\n{case['program']}\nclingo: {actual}\nours: {sorted(case['expected'])}")
print(f"solved {count} with clingo {clingo.__version__}")
