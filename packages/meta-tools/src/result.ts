import type { MetaToolResult } from './meta-tool.ts';
import { refusalText, type Refusal } from './refusal.ts';

/** A result of one text item that holds compact JSON. The value is serialised here, once. */
export const jsonResult = (value: unknown): MetaToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

/** A failed result: one text item with one plain sentence. */
export const refusalResult = (refusal: Refusal): MetaToolResult => ({
  content: [{ type: 'text', text: refusalText(refusal) }],
  isError: true,
});
