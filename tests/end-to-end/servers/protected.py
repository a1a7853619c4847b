"""A server over HTTP, made with the Python SDK, that lets in only who has a token for it.

PORT is where it listens, ISSUER who gives out tokens. RESOURCE is what it says that it is, if that is a lie; METADATA what it says
in place of its metadata, with the word ISSUER for who that is. What it was sent is kept in the file that SEEN names.
"""

import json
import os
from pathlib import Path

import jwt
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from starlette.responses import JSONResponse, PlainTextResponse

PORT = int(os.environ["PORT"])
ISSUER = os.environ["ISSUER"]
OWN = f"http://127.0.0.1:{PORT}/mcp"
SEEN = Path(os.environ["SEEN"])


class Verifier(TokenVerifier):
    """Believes what the issuer has signed for this server."""

    def __init__(self):
        self.keys = jwt.PyJWKClient(f"{ISSUER}/jwks")

    async def verify_token(self, token):
        try:
            key = self.keys.get_signing_key_from_jwt(token)
            claims = jwt.decode(token, key.key, algorithms=["RS256"], audience=OWN, issuer=ISSUER)
        except jwt.PyJWTError:
            return None
        return AccessToken(
            token=token, client_id=claims["client_id"], scopes=claims.get("scope", "").split(),
            expires_at=claims["exp"], resource=OWN,
        )


server = MCPServer(
    "protected",
    auth=AuthSettings(
        issuer_url=ISSUER, resource_server_url=OWN, required_scopes=["notes:read"], validate_token_resource=True
    ),
    token_verifier=Verifier(),
)


@server.tool()
def note(text: str) -> str:
    """Keep a note"""
    return f"noted {text}"


@server.tool()
def change(text: str) -> str:
    """Change a note"""
    return f"changed {text}"


def watched(app):
    """Writes down what was sent, wants more for one of the tools, and lies where it is told to."""

    async def outer(scope, receive, send):
        if scope["type"] != "http":
            return await app(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        body = b""
        more = scope["method"] == "POST"
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        with SEEN.open("a") as seen:
            seen.write(json.dumps({"path": scope["path"], "authorization": headers.get("authorization")}) + "\n")
        metadata = os.environ.get("METADATA")
        if metadata and "oauth-protected-resource" in scope["path"]:
            return await JSONResponse(json.loads(metadata.replace("ISSUER", os.environ["ISSUER"])))(scope, receive, send)
        if b'"change"' in body and "tools/call" in body.decode() and "notes:write" not in granted(headers):
            said = {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="notes:write"'}
            return await PlainTextResponse("not that", 403, said)(scope, receive, send)
        sent = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def again():
            return next(sent, None) or await receive()

        return await app(scope, again if scope["method"] == "POST" else receive, send)

    return outer


def granted(headers):
    token = headers.get("authorization", "").removeprefix("Bearer ")
    try:
        return jwt.decode(token, options={"verify_signature": False}).get("scope", "").split()
    except jwt.PyJWTError:
        return []


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(watched(server.streamable_http_app()), host="127.0.0.1", port=PORT, log_level="warning")
