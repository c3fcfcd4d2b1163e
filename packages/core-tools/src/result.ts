import type { JsonObject } from '@gateway/catalog';

/** A result with an object, as compact JSON for readers of text and as it is for others. */
export const objectResult = (value: JsonObject): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** A result with one sentence. */
export const sentenceResult = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });

/** A failed result with one sentence. */
export const failedResult = (text: string): JsonObject => ({
  ...sentenceResult(text),
  isError: true,
});
