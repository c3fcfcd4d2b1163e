import { formatError, parseToolsetHeader } from '@gateway/toolset-grammar';

/** Returns the error of an invalid toolset, or `undefined`. */
export function validateToolsetText(toolset: string): string | undefined {
  const parsed = parseToolsetHeader([toolset]);
  return parsed.ok ? undefined : formatError(parsed.error);
}
