"""Runs the operations of the compatibility suite with one client library.

The suite sends one operation a line on standard input, as JSON. The answer is one line on standard output: `{"value": ...}`,
`{"absent": reason}` when the library has no such feature, or `{"error": text}`.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack


class Absent(Exception):
    """The client library has no such feature. The text is the reason."""


# Generation 1 of the official SDK: a call whose task is cancelled waits no longer, and the server is not informed.
NO_CANCELLATION = "the end of a task that waits for a call sends no notification to the server"


class HeldContext:
    """Keeps an asynchronous context open in a task of its own, which also closes it."""

    def __init__(self):
        self._closing = asyncio.Event()
        self._task = None

    async def open(self, enter):
        """Runs `enter(stack)` and returns its result. The contexts of the stack stay open until `close`."""
        ready = asyncio.get_running_loop().create_future()

        async def hold():
            try:
                async with AsyncExitStack() as stack:
                    ready.set_result(await enter(stack))
                    await self._closing.wait()
            except BaseException as error:
                if not ready.done():
                    ready.set_exception(error)

        self._task = asyncio.create_task(hold())
        return await ready

    async def close(self):
        self._closing.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=10)


class Driver:
    """The operations. A subclass implements those that its library has; `answer` is what a user answers to a question."""

    def __init__(self):
        self.changes = asyncio.Event()
        self.call = None

    async def connect(self, url, headers, answer):
        raise NotImplementedError

    async def list_tools(self):
        raise NotImplementedError

    async def call_tool(self, name, arguments, on_progress):
        """Returns `result(...)`. Calls `on_progress()` for each notification; it is None when nobody asks for progress."""
        raise NotImplementedError

    async def list_resources(self):
        raise Absent("no function that lists resources")

    async def read_resource(self, uri):
        raise Absent("no function that reads a resource")

    async def list_prompts(self):
        raise Absent("no function that lists prompts")

    async def get_prompt(self, name, arguments):
        raise Absent("no function that reads a prompt")

    async def watch(self):
        """Asks for the notifications of changed tools, in a revision in which a client has to."""

    async def wait_for_change(self):
        """Returns after a notification of changed tools."""
        await self.changes.wait()

    async def close(self):
        raise NotImplementedError

    async def count_progress(self, name, arguments):
        """Calls a tool and adds the number of progress notifications to its result."""
        count = 0

        def on_progress():
            nonlocal count
            count += 1

        value = await self.call_tool(name, arguments, on_progress)
        return {**value, "progress": count}

    async def start_call(self, name, arguments):
        """Starts a call and returns at once."""
        self.call = asyncio.create_task(self.call_tool(name, arguments, None))

    async def cancel_call(self):
        """Cancels the started call and waits for its end."""
        self.call.cancel()
        try:
            return await self.call
        except asyncio.CancelledError:
            return None


def result(content, structured=None, is_error=False):
    """Returns the result of a tool in the form that the suite reads. `content` are content items of the protocol."""
    items = [item if isinstance(item, dict) else item.model_dump(mode="json", by_alias=True) for item in content]
    return {
        "texts": [item["text"] for item in items if item.get("type") == "text"],
        "images": [
            {"mimeType": item.get("mimeType"), "data": item.get("data")} for item in items if item.get("type") == "image"
        ],
        "structured": structured,
        "isError": is_error,
    }


def texts_of(contents):
    """Returns the texts of contents of a resource or messages of a prompt."""
    return [text for text in (getattr(item, "text", None) for item in contents) if text is not None]


def describe(error):
    """Returns the text of an error; of a group, that of its first member."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


OPERATIONS = {
    "connect": lambda driver, o: driver.connect(o["url"], o.get("headers", {}), o.get("answer")),
    "listTools": lambda driver, o: driver.list_tools(),
    "callTool": lambda driver, o: (
        driver.count_progress(o["name"], o["arguments"])
        if o.get("progress")
        else driver.call_tool(o["name"], o["arguments"], None)
    ),
    "startCall": lambda driver, o: driver.start_call(o["name"], o["arguments"]),
    "cancelCall": lambda driver, o: driver.cancel_call(),
    "listResources": lambda driver, o: driver.list_resources(),
    "readResource": lambda driver, o: driver.read_resource(o["uri"]),
    "listPrompts": lambda driver, o: driver.list_prompts(),
    "getPrompt": lambda driver, o: driver.get_prompt(o["name"], o["arguments"]),
    "watch": lambda driver, o: driver.watch(),
    "waitForChange": lambda driver, o: driver.wait_for_change(),
    "close": lambda driver, o: driver.close(),
}


async def answer_to(driver, operation):
    try:
        return {"value": await OPERATIONS[operation["do"]](driver, operation)}
    except Absent as reason:
        return {"absent": str(reason)}
    except BaseException as error:
        return {"error": describe(error)}


async def serve(driver):
    reader = asyncio.StreamReader(limit=1 << 24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        answer = await answer_to(driver, json.loads(line))
        print(json.dumps(answer), flush=True)


def run(driver_class):
    """Serves operations until standard input ends."""

    async def main():
        await serve(driver_class())

    asyncio.run(main())
