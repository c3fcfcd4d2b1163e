"""The MCP toolset of Pydantic AI, which is built on the client of FastMCP."""

import base64
import json

from driver import Absent, Driver, HeldContext, run
from pydantic_ai import BinaryContent, ModelRetry
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import TextContent


class PydanticAi(Driver):
    def __init__(self):
        super().__init__()
        self.on_progress = None

    async def connect(self, url, headers, answer):
        async def answer_question(_message, _response_type, _params, _context):
            return answer

        async def progress(_progress, _total, _message):
            if self.on_progress is not None:
                self.on_progress()

        async def on_message(message):
            if "ToolListChanged" in type(getattr(message, "root", message)).__name__:
                self.changes.set()

        toolset = MCPToolset(
            url,
            headers=headers,
            progress_handler=progress,
            message_handler=on_message,
            read_timeout=300,
            **({"elicitation_handler": answer_question} if answer else {}),
        )

        async def enter(stack):
            return await stack.enter_async_context(toolset)

        self.changes.clear()
        self.held = HeldContext()
        self.toolset = await self.held.open(enter)
        client = self.toolset.client
        self.protocol = client.protocol_version
        return {"server": client.server_info.name, "protocol": self.protocol}

    async def list_tools(self):
        return [tool.name for tool in await self.toolset.list_tools()]

    async def call_tool(self, name, arguments, on_progress):
        self.on_progress = on_progress
        try:
            value = await self.toolset.direct_call_tool(name, arguments)
        except ModelRetry as error:
            return {"texts": [error.message], "images": [], "structured": None, "isError": True}
        return normalized(value)

    async def list_resources(self):
        return [resource.uri for resource in await self.toolset.list_resources()]

    async def read_resource(self, uri):
        value = await self.toolset.read_resource(uri)
        return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]

    async def list_prompts(self):
        return [prompt.name for prompt in await self.toolset.list_prompts()]

    async def get_prompt(self, name, arguments):
        messages = (await self.toolset.get_prompt(name, arguments)).messages
        return [message.content.content for message in messages if isinstance(message.content, TextContent)]

    async def watch(self):
        if self.protocol >= "2026":
            raise Absent("no function that listens for changes in revision 2026-07-28")

    async def close(self):
        await self.held.close()


def normalized(value):
    """The library returns the value that a model reads: text, decoded JSON, binary content, or a list of these."""
    items = value if isinstance(value, list) else [value]
    images = [item for item in items if isinstance(item, BinaryContent)]
    texts = [item if isinstance(item, str) else json.dumps(item) for item in items if not isinstance(item, BinaryContent)]
    return {
        "texts": texts,
        "images": [
            {"mimeType": image.media_type, "data": base64.b64encode(image.data).decode()} for image in images
        ],
        "structured": value if isinstance(value, dict) else None,
        "isError": False,
    }


if __name__ == "__main__":
    run(PydanticAi)
