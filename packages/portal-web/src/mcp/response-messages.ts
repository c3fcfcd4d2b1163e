import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isJsonObject, type JsonObject } from './mcp-outcome.ts';

const parsed = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Yields the JSON-RPC messages of a response: one of a JSON body, or those of an event stream as they arrive. */
export const responseMessages = async function* (
  response: Response,
): AsyncGenerator<JsonObject, void, undefined> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) {
    const message = parsed(await response.text());
    if (message !== undefined) yield message;
    return;
  }
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const message = parsed(read.value.data);
    if (message !== undefined) yield message;
  }
};
