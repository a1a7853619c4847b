"""A server over HTTP, made with the Python SDK, which knows both eras. Listens on the port that PORT names."""

import os

from mcp.server.mcpserver import Context, MCPServer
from starlette.responses import PlainTextResponse

server = MCPServer("over-http")


@server.tool()
def note(text: str) -> str:
    """Keep a note"""
    return f"noted {text}"


@server.tool()
async def count(steps: int, context: Context) -> str:
    """Count, and tell how far it is"""
    for step in range(steps):
        await context.report_progress(step + 1, steps)
    return f"counted to {steps}"


def guarded(app, token):
    """Lets in only who knows the token."""

    async def check(scope, receive, send):
        given = dict(scope.get("headers", [])).get(b"authorization", b"")
        if scope["type"] == "http" and given != f"Bearer {token}".encode():
            said = PlainTextResponse("who are you?", 401, {"WWW-Authenticate": 'Bearer realm="over-http"'})
            return await said(scope, receive, send)
        return await app(scope, receive, send)

    return check


if __name__ == "__main__":
    import uvicorn

    app = server.streamable_http_app()
    if os.environ.get("TOKEN"):
        app = guarded(app, os.environ["TOKEN"])
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
