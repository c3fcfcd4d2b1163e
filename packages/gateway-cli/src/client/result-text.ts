import type { ToolResult } from './gateway-client.ts';

/** All the text of a result, its items one below the other. */
export const textOf = ({ content }: ToolResult): string =>
  content.map(({ text }) => text ?? '').join('\n');

/** The value that a result holds: its structured content, else its text read as JSON, else nothing. */
export function valueOf(result: ToolResult): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  try {
    return JSON.parse(textOf(result)) as unknown;
  } catch {
    return undefined;
  }
}
