import asyncio
import os

from langchain_mcp_adapters.client import MultiServerMCPClient

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8090/mcp")


async def main():
    headers = {"X-Gateway-Toolset": "server:everything"}
    gateway = {"transport": "streamable_http", "url": URL, "headers": headers}
    tools = await MultiServerMCPClient({"gateway": gateway}).get_tools()
    # create_agent(model, tools) lets a model call them. This calls one directly:
    call_tool = next(tool for tool in tools if tool.name == "call_tool")
    arguments = {"name": "x_everything_echo", "arguments": {"message": "hello"}}
    content = await call_tool.ainvoke(arguments)
    print(content[0]["text"])


asyncio.run(main())
