"""The MCP adapters of LangChain: tools as LangChain's own tools, resources as blobs, prompts as messages."""

from driver import NO_CANCELLATION, Absent, Driver, HeldContext, run
from langchain_mcp_adapters.callbacks import Callbacks
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.prompts import load_mcp_prompt
from langchain_mcp_adapters.resources import get_mcp_resource
from langchain_mcp_adapters.tools import load_mcp_tools
from mcp.types import ElicitResult

SERVER = "gateway"


class LangChain(Driver):
    def __init__(self):
        super().__init__()
        self.on_progress = None

    async def connect(self, url, headers, answer):
        async def answer_question(_context, _params, _callback_context):
            return ElicitResult(action="accept", content=answer)

        async def progress(_progress, _total, _message, _context):
            if self.on_progress is not None:
                self.on_progress()

        callbacks = Callbacks(on_progress=progress, **({"on_elicitation": answer_question} if answer else {}))
        connections = {SERVER: {"transport": "streamable_http", "url": url, "headers": headers}}
        client = MultiServerMCPClient(connections, callbacks=callbacks)

        async def enter(stack):
            return await stack.enter_async_context(client.session(SERVER, auto_initialize=False))

        self.held = HeldContext()
        self.session = await self.held.open(enter)
        info = await self.session.initialize()
        self.callbacks = callbacks
        self.tools = {}
        return {"server": info.serverInfo.name, "protocol": info.protocolVersion}

    async def list_tools(self):
        tools = await load_mcp_tools(self.session, callbacks=self.callbacks, server_name=SERVER)
        self.tools = {tool.name: tool for tool in tools}
        return list(self.tools)

    async def call_tool(self, name, arguments, on_progress):
        if name not in self.tools:
            await self.list_tools()
        self.on_progress = on_progress
        call = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
        message = await self.tools[name].ainvoke(call)
        blocks = message.content if isinstance(message.content, list) else [{"type": "text", "text": message.content}]
        artifact = message.artifact or {}
        return {
            "texts": [block["text"] for block in blocks if block["type"] == "text"],
            "images": [
                {"mimeType": block["mime_type"], "data": block["base64"]} for block in blocks if block["type"] == "image"
            ],
            "structured": artifact.get("structured_content"),
            "isError": message.status == "error",
        }

    async def start_call(self, name, arguments):
        raise Absent(NO_CANCELLATION)

    async def list_resources(self):
        raise Absent("reads all resources of a server, or those with a known URI; no list of URIs")

    async def read_resource(self, uri):
        return [blob.as_string() for blob in await get_mcp_resource(self.session, uri)]

    async def list_prompts(self):
        raise Absent("reads prompts by their names only")

    async def get_prompt(self, name, arguments):
        return [message.content for message in await load_mcp_prompt(self.session, name, arguments=arguments)]

    async def watch(self):
        raise Absent("no callback for changed tools")

    async def close(self):
        await self.held.close()


if __name__ == "__main__":
    run(LangChain)
