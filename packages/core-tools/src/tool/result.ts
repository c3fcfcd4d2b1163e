import type { JsonObject } from '@gateway/call-contract';

/** Returns a result with an object, as compact JSON text and as structured content. */
export const objectResult = (value: JsonObject): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** Returns a result with a list, as compact JSON text, and as structured content under `name` with additional facts. */
export const arrayResult = (
  name: string,
  items: readonly JsonObject[],
  facts: JsonObject = {},
): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(items) }],
  structuredContent: { [name]: items, ...facts },
});

/** Returns a result with one sentence, and as structured content with `message` and additional facts. */
export const sentenceResult = (text: string, facts: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent: { message: text, ...facts },
});

/** Returns a failed result with one sentence, and as structured content with `error` and additional facts. */
export const failedResult = (text: string, facts: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent: { error: text, ...facts },
  isError: true,
});
