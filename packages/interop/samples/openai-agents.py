import asyncio
import os

from agents import Agent
from agents.mcp import MCPServerStreamableHttp

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8090/mcp")


async def main():
    headers = {"X-Gateway-Toolset": "server:everything"}
    options = {"url": URL, "headers": headers, "timeout": 60}
    # Some tools need longer than the 5 seconds that the library waits otherwise.
    async with MCPServerStreamableHttp(options, client_session_timeout_seconds=60) as gateway:
        agent = Agent(name="assistant", mcp_servers=[gateway])
        # Runner.run(agent, ...) lets a model call the tools. This calls one directly:
        arguments = {"name": "x_everything_echo", "arguments": {"message": "hello"}}
        result = await agent.mcp_servers[0].call_tool("call_tool", arguments)
        print(result.content[0].text)


asyncio.run(main())
