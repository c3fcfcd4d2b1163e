import { parseToolsetHeader, formatError } from '@gateway/toolset-grammar';

/** What a gateway answers to the toolset header of a request, or the selectors that it goes on with. */
export const answer = (...lines: string[]): string => {
  const parsed = parseToolsetHeader(lines);
  return parsed.ok
    ? parsed.value.selectors.map(({ kind, name }) => `${kind} ${name}`).join(', ')
    : formatError(parsed.error);
};

answer('server:k8s, preset:read-only'); // server k8s, preset read-only
answer('toolset:x'); // toolset [toolset:x] selector "toolset:x" is reserved for shared toolsets
