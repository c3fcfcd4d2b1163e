import type { JsonObject } from '../../mcp/mcp-outcome.ts';
import type { Question } from './confirm-command.tsx';

const MAX_SHOWN_CHARS = 500;

/** Returns the command with its arguments, or the address, of a definition; its beginning when it is long. */
export const addressOf = ({ command, args, url }: JsonObject): string =>
  [command, ...(Array.isArray(args) ? (args as readonly unknown[]) : []), url]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, MAX_SHOWN_CHARS);

/**
 * Returns the question before definitions reach the gateway that make it run programs; `undefined` when none does.
 *
 * @param definitions arguments of `core_mcpserver_create`
 */
export const programQuestion = (definitions: readonly JsonObject[]): Question | undefined => {
  const programs = definitions.filter(({ type }) => type === 'stdio').map(addressOf);
  if (programs.length === 0) return undefined;
  const isOne = programs.length === 1;
  return {
    title: isOne ? 'Run this program?' : `Run these ${programs.length} programs?`,
    consequence: `The gateway runs ${isOne ? 'this program' : 'these programs'} on its own machine, with its own permissions and not with yours. Continue only if you trust ${isOne ? 'the program' : 'the programs'}.`,
    details: programs,
    confirm: isOne ? 'Create and run' : 'Create and run all',
  };
};
