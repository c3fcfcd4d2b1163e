import asyncio
import os

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8090/mcp")


async def main():
    gateway = MCPToolset(URL, headers={"X-Gateway-Toolset": "server:everything"})
    agent = Agent(toolsets=[gateway])
    async with agent:
        # agent.run(..., model=...) lets a model call the tools. This calls one directly:
        arguments = {"name": "x_everything_echo", "arguments": {"message": "hello"}}
        print(await gateway.direct_call_tool("call_tool", arguments))


asyncio.run(main())
