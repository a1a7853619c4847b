"""A host for tests: it starts a guarded server and calls its tool.

Usage: host.py PORTCULLIS SERVER CALLS [COMMAND...]

CALLS is JSON, a list of arguments for calls of `write_note`. With a command, that is run instead, as an agent's tool would run
it, once the session is open; its output and status are printed. HOST_OPTIONS are options for `portcullis run`.
"""

import json
import os
import subprocess
import sys

portcullis, server, calls, *command = sys.argv[1:]
run = subprocess.Popen(
    [portcullis, "run", "--name", "notes", *os.environ.get("HOST_OPTIONS", "").split(), "--", sys.executable, server],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
)
number = 0


def ask(method, parameters):
    global number
    number += 1
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
    run.stdin.write(json.dumps(message) + "\n")
    run.stdin.flush()
    while True:
        line = run.stdout.readline()
        if not line:
            sys.exit("the gate is gone")
        reply = json.loads(line)
        if reply.get("id") == number and "method" not in reply:
            return reply


ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}})
run.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
run.stdin.flush()
ask("tools/list", {})
if command:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    print(done.stdout + done.stderr)
    print(f"status {done.returncode}")
for arguments in json.loads(calls):
    print(json.dumps(ask("tools/call", {"name": "write_note", "arguments": arguments})), flush=True)
run.stdin.close()
run.wait(timeout=20)
