"""Hosts made with the Python SDK, and the people in front of them."""

import tempfile
from contextlib import asynccontextmanager

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import ElicitResult

from harness import LONGEST


class Person:
    """Answers the gateway's questions in order, each in the way that was said before; one too many is left.

    Questions of servers get always the same answer.
    """

    def __init__(self, *answers, to_servers=None):
        self.answers = list(answers)
        self.to_servers = to_servers
        self.asked = []
        self.schemas = []

    async def __call__(self, context, params):
        self.asked.append(params.message)
        self.schemas.append(getattr(params, "requested_schema", None))
        if not params.message.startswith("Portcullis asks. "):
            return ElicitResult(action="accept", content=self.to_servers)
        if not self.answers:
            return ElicitResult(action="cancel")
        return ElicitResult(action="accept", content={"answer": self.answers.pop(0)})


@asynccontextmanager
async def host(place, server, person=None, options=(), mode="auto", **callbacks):
    """A host with the gateway behind it. It can show questions if there is a person."""
    command = place.gateway(server, options)
    parameters = StdioServerParameters(
        command=command[0], args=command[1:], env=place.environment(), cwd=str(place.workspace)
    )
    with tempfile.TemporaryFile("w+") as complaints:
        transport = stdio_client(parameters, errlog=complaints)
        try:
            async with Client(
                transport,
                mode=mode,
                elicitation_callback=person,
                read_timeout_seconds=LONGEST,
                **callbacks,
            ) as client:
                yield client
        except BaseException:
            complaints.seek(0)
            print(complaints.read()[-4000:])
            raise


def said(result):
    """The texts of a result of a tool."""
    return "\n".join(item.text for item in result.content if item.type == "text")
