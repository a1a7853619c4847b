"""A proxy of FastMCP in front of a server over standard input and output, with one connection that is kept."""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.server import create_proxy


async def main():
    async with Client(StdioTransport(sys.argv[1], sys.argv[2:])) as server:
        await create_proxy(server).run_async(transport="stdio", show_banner=False)


asyncio.run(main())
