import asyncio
import os

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8090/mcp")


async def main():
    http = create_mcp_http_client(headers={"X-Gateway-Toolset": "server:everything"})
    async with http, streamable_http_client(URL, http_client=http) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            arguments = {"name": "x_everything_echo", "arguments": {"message": "hello"}}
            result = await session.call_tool("call_tool", arguments)
            print(result.content[0].text)


asyncio.run(main())
