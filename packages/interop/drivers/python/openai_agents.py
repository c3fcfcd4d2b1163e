"""The MCP client of the OpenAI Agents SDK."""

from agents.mcp import MCPServerStreamableHttp
from driver import Absent, Driver, HeldContext, result, run, texts_of

SECONDS = 300


class OpenAiAgents(Driver):
    async def connect(self, url, headers, answer):
        if answer:
            raise Absent("no callback for elicitation")

        async def on_message(message):
            if "ToolListChanged" in type(getattr(message, "root", message)).__name__:
                self.changes.set()

        server = MCPServerStreamableHttp(
            {"url": url, "headers": headers, "timeout": SECONDS},
            client_session_timeout_seconds=SECONDS,
            message_handler=on_message,
        )

        async def enter(stack):
            return await stack.enter_async_context(server)

        self.changes.clear()
        self.held = HeldContext()
        self.server = await self.held.open(enter)
        info = self.server.server_initialize_result
        server_info = getattr(info, "server_info", None) or getattr(info, "serverInfo", None)
        protocol = getattr(info, "protocol_version", None) or getattr(info, "protocolVersion", None)
        session = self.server.session
        self.protocol = protocol or session.protocol_version
        return {"server": server_info.name if server_info else session.server_info.name, "protocol": self.protocol}

    async def list_tools(self):
        return [tool.name for tool in await self.server.list_tools()]

    async def call_tool(self, name, arguments, on_progress):
        if on_progress is not None:
            raise Absent("no callback for progress")
        answer = await self.server.call_tool(name, arguments)
        structured = getattr(answer, "structured_content", None) or getattr(answer, "structuredContent", None)
        is_error = getattr(answer, "is_error", None) or getattr(answer, "isError", False)
        return result(answer.content, structured, is_error)

    async def list_resources(self):
        return [str(resource.uri) for resource in (await self.server.list_resources()).resources]

    async def read_resource(self, uri):
        return texts_of((await self.server.read_resource(uri)).contents)

    async def list_prompts(self):
        return [prompt.name for prompt in (await self.server.list_prompts()).prompts]

    async def get_prompt(self, name, arguments):
        messages = (await self.server.get_prompt(name, arguments)).messages
        return texts_of([message.content for message in messages])

    async def watch(self):
        if self.protocol >= "2026":
            raise Absent("no function that listens for changes in revision 2026-07-28")

    async def close(self):
        await self.held.close()


if __name__ == "__main__":
    run(OpenAiAgents)
