import type { TreeCommand } from '../completion/command-tree.ts';
import { OUTSIDE_COMMANDS } from './complete-line.ts';
import { MAX_LINE_CHARS } from './input-lines.ts';
import { splitLine, type OpenEnd } from './split-line.ts';

/** The request of a line. */
export type ShellRequest =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly args: readonly string[] }
  | ({ readonly kind: 'refused' } & LineRefusal);

/** Why a line is not run. */
export type LineRefusal =
  | { readonly code: 'too-long' }
  | { readonly code: 'open'; readonly open: OpenEnd }
  | { readonly code: 'outside'; readonly command: string };

/** Returns the text of a refusal. */
export function lineRefusalText(refusal: LineRefusal): string {
  switch (refusal.code) {
    case 'too-long':
      return `a line has at most ${MAX_LINE_CHARS.toString()} characters`;
    case 'open':
      return refusal.open === 'backslash'
        ? 'the line ends with a backslash: write \\\\ for a backslash'
        : `the ${refusal.open} is not closed: a line cannot continue on the next one`;
    case 'outside':
      return `"${refusal.command}" does not run inside the shell: run gateway ${refusal.command} in another terminal`;
  }
}

/** Returns what a line asks for. The name of the program before a command is optional. */
export function requestOf(tree: TreeCommand, line: string): ShellRequest {
  if (line.length > MAX_LINE_CHARS) return { kind: 'refused', code: 'too-long' };
  const { words, open } = splitLine(line);
  if (open !== undefined) return { kind: 'refused', code: 'open', open };
  const all = words.map(({ text }) => text);
  if (all.length === 0) return { kind: 'nothing' };
  return requestOfWords(all[0] === tree.name ? all.slice(1) : all);
}

function requestOfWords(args: readonly string[]): ShellRequest {
  const [first = 'help', ...rest] = args;
  if (first === 'exit' && rest.length === 0) return { kind: 'exit' };
  if (first === 'help')
    return rest.length === 0 ? { kind: 'help' } : { kind: 'run', args: [...rest, '--help'] };
  if (OUTSIDE_COMMANDS.has(first) && !rest.includes('--help'))
    return { kind: 'refused', code: 'outside', command: first };
  return { kind: 'run', args };
}

/** Options of the shell that its commands use when they have them and the line does not name them. */
export interface SharedOptions {
  readonly url?: string;
  readonly toolset?: string;
}

/** Returns the arguments of a command with the options of the shell. */
export function withSharedOptions(
  tree: TreeCommand,
  args: readonly string[],
  shared: SharedOptions,
): readonly string[] {
  let command = tree;
  let depth = 0;
  for (const word of args) {
    const next = command.commands.find(({ name }) => name === word);
    if (next === undefined) break;
    command = next;
    depth += 1;
  }
  const values = new Map([
    ['--url', shared.url],
    ['--toolset', shared.toolset],
  ]);
  const given = (flag: string): boolean =>
    args.some((word) => word === flag || word.startsWith(`${flag}=`));
  const added = command.options.flatMap(({ flag }) => {
    const value = values.get(flag);
    return value === undefined || given(flag) ? [] : [`${flag}=${value}`];
  });
  return [...args.slice(0, depth), ...added, ...args.slice(depth)];
}
