"""The official Python SDK 2.x."""

import asyncio

from driver import Driver, HeldContext, result, run, texts_of
from httpx2 import AsyncClient, Timeout
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client


class PythonSdk2(Driver):
    async def connect(self, url, headers, answer):
        async def answer_question(_context, _params):
            return types.ElicitResult(action="accept", content=answer)

        async def on_message(message):
            if isinstance(message, types.ToolListChangedNotification):
                self.changes.set()

        async def enter(stack):
            http = await stack.enter_async_context(AsyncClient(headers=headers, timeout=Timeout(300)))
            return await stack.enter_async_context(
                Client(
                    streamable_http_client(url, http_client=http),
                    elicitation_callback=answer_question if answer else None,
                    message_handler=on_message,
                )
            )

        self.changes.clear()
        self.watching = None
        self.held = HeldContext()
        self.client = await self.held.open(enter)
        info = self.client.server_info
        return {"server": info.name if info else "", "protocol": self.client.protocol_version}

    async def list_tools(self):
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call_tool(self, name, arguments, on_progress):
        async def progress(_progress, _total, _message):
            on_progress()

        answer = await self.client.call_tool(name, arguments, progress_callback=progress if on_progress else None)
        return result(answer.content, answer.structured_content, answer.is_error)

    async def list_resources(self):
        return [str(resource.uri) for resource in (await self.client.list_resources()).resources]

    async def read_resource(self, uri):
        return texts_of((await self.client.read_resource(uri)).contents)

    async def list_prompts(self):
        return [prompt.name for prompt in (await self.client.list_prompts()).prompts]

    async def get_prompt(self, name, arguments):
        messages = (await self.client.get_prompt(name, arguments)).messages
        return texts_of([message.content for message in messages])

    async def watch(self):
        async def enter(stack):
            events = await stack.enter_async_context(self.client.listen(tools_list_changed=True))

            async def follow():
                async for _event in events:
                    self.changes.set()

            stack.callback(asyncio.create_task(follow()).cancel)

        self.watching = HeldContext()
        await self.watching.open(enter)

    async def close(self):
        if self.watching is not None:
            await self.watching.close()
        await self.held.close()


if __name__ == "__main__":
    run(PythonSdk2)
