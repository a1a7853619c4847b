"""Models that the tests play: each wants a list of tool calls made, one after the other, and keeps what came back."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    """What the interfaces of all vendors have in common."""

    def __init__(self, case, calls):
        self.calls = calls
        self.results = []
        self.offered = set()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.reply(json.dumps(model.listing()).encode())

            def do_HEAD(self):
                self.reply(b"")

            def do_POST(self):
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length) or b"{}")
                self.reply(*model.answer(self.path, body))

            def reply(self, body, kind="application/json"):
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *words):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        case.addCleanup(thread.join)
        case.addCleanup(server.server_close)
        case.addCleanup(server.shutdown)

    def listing(self):
        return {}

    def next_call(self, results, offered):
        """The call that is made now, where its tool is offered; None when all were made."""
        self.offered.update(offered)
        if len(results) >= len(self.results):
            self.results = results
        if len(results) < len(self.calls) and self.calls[len(results)][0] in offered:
            return self.calls[len(results)]
        return None


def events(items):
    """A stream of server-sent events."""
    lines = [f"event: {item['type']}\ndata: {json.dumps(item)}\n\n" for item in items]
    return "".join(lines).encode(), "text/event-stream"


def text_in(content):
    """All texts in a nested value."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return "\n".join(filter(None, (text_in(value) for value in content.values())))
    if isinstance(content, list):
        return "\n".join(filter(None, (text_in(item) for item in content)))
    return ""


class Messages(Model):
    """As Anthropic's: tool results are blocks of messages."""

    def answer(self, path, body):
        if not path.startswith("/v1/messages") or "count_tokens" in path:
            return (b'{"input_tokens":1}',)
        blocks = [
            block
            for message in body.get("messages", [])
            if isinstance(message["content"], list)
            for block in message["content"]
        ]
        results = [text_in(block.get("content")) for block in blocks if block["type"] == "tool_result"]
        call = self.next_call(results, {tool.get("name") for tool in body.get("tools", [])})
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        if call is None:
            start, stop = {"type": "text", "text": ""}, "end_turn"
            whole, delta = {"type": "text", "text": "done"}, {"type": "text_delta", "text": "done"}
        else:
            start = {"type": "tool_use", "id": f"toolu_{len(results)}", "name": call[0], "input": {}}
            whole, stop = {**start, "input": call[1]}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        if not body.get("stream"):
            return (json.dumps({**message, "content": [whole], "stop_reason": stop}).encode(),)
        return events([
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
             "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ])


class Responses(Model):
    """As OpenAI's: tools may stand in namespaces, and results are items of the input."""

    def listing(self):
        return {"data": [], "models": []}

    def answer(self, path, body):
        offered = {}
        for tool in body.get("tools", []):
            if tool.get("type") == "namespace":
                for inner in tool.get("tools", []):
                    offered[inner["name"]] = {"name": inner["name"], "namespace": tool["name"]}
            elif tool.get("type") == "function":
                offered[tool["name"].rpartition("__")[2]] = {"name": tool["name"]}
        items = [item for item in body.get("input", []) if item.get("type") == "function_call_output"]
        results = [text_in(item.get("output")) for item in items]
        call = self.next_call(results, set(offered))
        if call is None:
            content = [{"type": "output_text", "text": "done"}]
            item = {"type": "message", "id": "m1", "role": "assistant", "content": content}
        else:
            item = {"type": "function_call", "id": f"fc{len(results)}", "call_id": f"c{len(results)}",
                    "arguments": json.dumps(call[1]), **offered[call[0]]}
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1,
                 "output_tokens_details": None, "total_tokens": 2}
        return events([
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
        ])


class Contents(Model):
    """As Google's: results are parts of contents."""

    def answer(self, path, body):
        if "countTokens" in path:
            return (b'{"totalTokens":1}',)
        declared = [d["name"] for tool in body.get("tools", []) for d in tool.get("functionDeclarations", [])]
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        results = [text_in(part["functionResponse"].get("response")) for part in parts if "functionResponse" in part]
        call = self.next_call(results, set(declared))
        part = {"text": "done"} if call is None else {"functionCall": {"name": call[0], "args": call[1]}}
        answer = {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "none",
        }
        if "stream" in path.lower():
            return f"data: {json.dumps(answer)}\r\n\r\n".encode(), "text/event-stream"
        return (json.dumps(answer).encode(),)
