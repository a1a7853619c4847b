"""A terminal for tests: runs a command in a pseudo-terminal and types into it.

Usage: terminal.py JOB, where JOB is a file with JSON:

  command    what is run
  steps      pairs of what is waited for and what is typed then
  detached   whether the terminal descends from nobody, as one that a person opens, or from who runs this
  result     the file that is written at the end: JSON with `output` and `status`
  seconds    how long all this may take
"""

import json
import os
import pty
import select
import signal
import sys
import time

MARKS = ["CLAUDECODE", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CURSOR_AGENT", "GEMINI_CLI", "PORTCULLIS_GUARDED"]


def converse(job):
    child, master = pty.fork()
    if child == 0:
        os.environ["TERM"] = job.get("term", "xterm")
        # Whoever runs this in the background may have made interrupts be ignored; no terminal begins so.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(job["command"][0], job["command"])
    output, steps, end = b"", list(job["steps"]), time.monotonic() + job["seconds"]
    looked_at = 0
    while time.monotonic() < end:
        if steps:
            found = output.find(steps[0][0].encode(), looked_at)
            if found >= 0:
                looked_at = found + len(steps[0][0].encode())
                time.sleep(0.2)
                os.write(master, steps.pop(0)[1].encode())
                continue
        if select.select([master], [], [], 0.1)[0]:
            try:
                more = os.read(master, 65536)
            except OSError:
                break
            if not more:
                break
            output += more
    else:
        output += b"\n[too slow]"
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    text = output.decode("utf-8", "replace").replace("\r\n", "\n")
    with open(job["result"] + ".part", "w") as file:
        json.dump({"output": text, "status": os.waitstatus_to_exitcode(status)}, file)
    os.rename(job["result"] + ".part", job["result"])


with open(sys.argv[1]) as file:
    job = json.load(file)
if job["detached"]:
    for mark in MARKS:
        os.environ.pop(mark, None)
    if os.fork() != 0:
        os._exit(0)
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
converse(job)
