"""FastMCP, generations 3 and 4."""

from importlib.metadata import version

from driver import NO_CANCELLATION, Absent, Driver, HeldContext, result, run, texts_of
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

GENERATION = version("fastmcp").split(".")[0]


class FastMcp(Driver):
    async def connect(self, url, headers, answer):
        async def answer_question(_message, _response_type, _params, _context):
            return answer

        async def on_message(message):
            if "ToolListChanged" in type(getattr(message, "root", message)).__name__:
                self.changes.set()

        async def enter(stack):
            options = {"elicitation_handler": answer_question} if answer else {}
            transport = StreamableHttpTransport(url, headers=headers)
            return await stack.enter_async_context(Client(transport, message_handler=on_message, **options))

        self.changes.clear()
        self.held = HeldContext()
        self.client = await self.held.open(enter)
        info = described(self.client)
        self.protocol = info["protocol"]
        return info

    async def list_tools(self):
        return [tool.name for tool in await self.client.list_tools()]

    async def call_tool(self, name, arguments, on_progress):
        async def progress(_progress, _total, _message):
            on_progress()

        answer = await self.client.call_tool(
            name, arguments, progress_handler=progress if on_progress else None, raise_on_error=False
        )
        return result(answer.content, answer.structured_content, answer.is_error)

    async def start_call(self, name, arguments):
        if GENERATION == "3":
            raise Absent(NO_CANCELLATION)
        await super().start_call(name, arguments)

    async def list_resources(self):
        return [str(resource.uri) for resource in await self.client.list_resources()]

    async def read_resource(self, uri):
        return texts_of(await self.client.read_resource(uri))

    async def list_prompts(self):
        return [prompt.name for prompt in await self.client.list_prompts()]

    async def get_prompt(self, name, arguments):
        messages = (await self.client.get_prompt(name, arguments)).messages
        return texts_of([message.content for message in messages])

    async def watch(self):
        if self.protocol >= "2026":
            raise Absent("no function that listens for changes in revision 2026-07-28")

    async def close(self):
        await self.held.close()


def described(client):
    """Returns the name of the server and the revision, in both generations."""
    started = getattr(client, "initialize_result", None)
    if started is not None:
        version = getattr(started, "protocolVersion", None) or getattr(started, "protocol_version", "")
        info = getattr(started, "serverInfo", None) or getattr(started, "server_info", None)
        return {"server": info.name, "protocol": version}
    info = client.server_info
    return {"server": info.name if info else "", "protocol": client.protocol_version}


if __name__ == "__main__":
    run(FastMcp)
