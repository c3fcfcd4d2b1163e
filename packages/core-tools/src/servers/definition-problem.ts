import { MCP_SERVER_TYPES } from '@gateway/crd-schemas';

/** The rules of resources, expressed with argument names. */
const IN_OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['spec.type: type is required', 'type is required'],
  ['spec.command: command is required when type is stdio', 'command is required for stdio type'],
  [
    'spec.url: url is required when type is streamable-http or sse',
    'url is required for streamable-http and sse types',
  ],
  [
    'spec.auth: auth configuration is only supported for remote server types (streamable-http or sse)',
    'auth configuration is only supported for remote server types (streamable-http or sse)',
  ],
]);

const MAX_SHOWN_CHARS = 100;

/**
 * Returns a problem of a resource, expressed with the arguments of the call.
 *
 * @param type the argument `type`, named in the problem of an unknown type
 * @spec §7.6
 */
export const definitionProblem = (issue: string, type: unknown): string => {
  if (typeof type === 'string' && issue.startsWith('spec.type: must be one of ')) {
    const known = MCP_SERVER_TYPES.join(', ');
    return `unsupported MCP server type: ${type.slice(0, MAX_SHOWN_CHARS)} (supported: ${known})`;
  }
  return IN_OTHER_WORDS.get(issue) ?? issue.replace(/^(?:spec|metadata)\./, '');
};
