import type { JsonObject } from '@gateway/call-contract';

/** A result with an object, as compact JSON for readers of text and as it is for others. */
export const objectResult = (value: JsonObject): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** A result with a list, as compact JSON for readers of text, and under `name` beside other facts for others. */
export const arrayResult = (
  name: string,
  items: readonly JsonObject[],
  facts: JsonObject = {},
): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(items) }],
  structuredContent: { [name]: items, ...facts },
});

/** A result with one sentence, and the same as `message` beside the facts that the sentence leaves out. */
export const sentenceResult = (text: string, facts: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent: { message: text, ...facts },
});

/** A failed result with one sentence, and the same as `error` beside the facts that the sentence leaves out. */
export const failedResult = (text: string, facts: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent: { error: text, ...facts },
  isError: true,
});
