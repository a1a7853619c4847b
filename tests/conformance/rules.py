"""Puts rules into a store of its own, as a person does at a terminal."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

TERMINAL = Path(__file__).resolve().parents[2] / "crates" / "portcullis" / "tests" / "terminal" / "terminal.py"
# Only reached where something hangs.
SECONDS = 60


def add_rules(program, state, rules, folder):
    """What allows something is only taken from a terminal that no agent has, so there is one for each rule."""
    job, result = Path(folder) / "job.json", Path(folder) / "result.json"
    environment = {**os.environ, "HOME": str(folder), "PORTCULLIS_HOME": str(state)}
    for rule in rules:
        result.unlink(missing_ok=True)
        steps = [["Type yes:", "yes\n"]]
        command = [str(program), "rules", "add", rule]
        wanted = {"command": command, "steps": steps, "detached": True, "result": str(result), "seconds": SECONDS}
        job.write_text(json.dumps(wanted))
        subprocess.run([sys.executable, TERMINAL, job], env=environment, cwd=folder, check=True)
        until = time.monotonic() + SECONDS
        while not result.exists():
            if time.monotonic() > until:
                raise AssertionError(f"`{rule}` was not added")
            time.sleep(0.02)
        said = json.loads(result.read_text())
        if said["status"] != 0:
            raise AssertionError(f"`{rule}` was not added: {said['output']}")
