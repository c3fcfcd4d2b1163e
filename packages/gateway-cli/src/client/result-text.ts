import type { ToolResult } from './gateway-client.ts';

/** Returns the text of a result, one line per item. */
export const textOf = ({ content }: ToolResult): string =>
  content.map(({ text }) => text ?? '').join('\n');

/** Returns the structured content of a result, else its text parsed as JSON, else nothing. */
export function valueOf(result: ToolResult): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  try {
    return JSON.parse(textOf(result)) as unknown;
  } catch {
    return undefined;
  }
}
