import asyncio
import os

from httpx2 import AsyncClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8090/mcp")


async def main():
    http = AsyncClient(headers={"X-Gateway-Toolset": "server:everything"}, timeout=300)
    async with http, Client(streamable_http_client(URL, http_client=http)) as client:
        arguments = {"name": "x_everything_echo", "arguments": {"message": "hello"}}
        result = await client.call_tool("call_tool", arguments)
        print(result.content[0].text)


asyncio.run(main())
