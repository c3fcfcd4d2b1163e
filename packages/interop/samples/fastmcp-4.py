import asyncio
import os

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8090/mcp")


async def main():
    headers = {"X-Gateway-Toolset": "server:everything"}
    async with Client(StreamableHttpTransport(URL, headers=headers)) as client:
        arguments = {"name": "x_everything_echo", "arguments": {"message": "hello"}}
        result = await client.call_tool("call_tool", arguments)
        print(result.content[0].text)


asyncio.run(main())
