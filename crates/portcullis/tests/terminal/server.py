"""A server of the Model Context Protocol for tests: it has one tool, and says what it was told.

Where there is a file `tools.json` in its folder, it lists what stands there instead.
"""

import json
import os
import sys

TOOL = {
    "name": "write_note",
    "description": "Write a note to a file.",
    "inputSchema": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    },
}


def tools():
    if not os.path.exists("tools.json"):
        return [TOOL]
    with open("tools.json") as file:
        return json.load(file)


def answer(method, parameters):
    if method == "initialize":
        return {
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "written"}]}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and "method" in message:
        result = answer(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
