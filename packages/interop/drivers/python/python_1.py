"""The official Python SDK 1.x."""

from driver import NO_CANCELLATION, Absent, Driver, HeldContext, result, run, texts_of
from mcp import ClientSession, types
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


class PythonSdk1(Driver):
    async def connect(self, url, headers, answer):
        async def answer_question(_context, _params):
            return types.ElicitResult(action="accept", content=answer)

        async def on_message(message):
            if isinstance(getattr(message, "root", None), types.ToolListChangedNotification):
                self.changes.set()

        async def enter(stack):
            http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
            streams = await stack.enter_async_context(streamable_http_client(url, http_client=http))
            session = await stack.enter_async_context(
                ClientSession(
                    streams[0],
                    streams[1],
                    elicitation_callback=answer_question if answer else None,
                    message_handler=on_message,
                )
            )
            return session, await session.initialize()

        self.changes.clear()
        self.held = HeldContext()
        self.session, info = await self.held.open(enter)
        return {"server": info.serverInfo.name, "protocol": info.protocolVersion}

    async def list_tools(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call_tool(self, name, arguments, on_progress):
        async def progress(_progress, _total, _message):
            on_progress()

        answer = await self.session.call_tool(name, arguments, progress_callback=progress if on_progress else None)
        return result(answer.content, answer.structuredContent, answer.isError)

    async def start_call(self, name, arguments):
        raise Absent(NO_CANCELLATION)

    async def list_resources(self):
        return [str(resource.uri) for resource in (await self.session.list_resources()).resources]

    async def read_resource(self, uri):
        return texts_of((await self.session.read_resource(uri)).contents)

    async def list_prompts(self):
        return [prompt.name for prompt in (await self.session.list_prompts()).prompts]

    async def get_prompt(self, name, arguments):
        messages = (await self.session.get_prompt(name, arguments)).messages
        return texts_of([message.content for message in messages])

    async def close(self):
        await self.held.close()


if __name__ == "__main__":
    run(PythonSdk1)
