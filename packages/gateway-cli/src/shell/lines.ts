import { EXIT_CODES } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { type TreeCommand, withDefaultCommand } from '../completion/command-tree.ts';

interface LineWord {
  readonly text: string;
  /** The position in the line where it starts, with its quote. */
  readonly start: number;
  readonly end: number;
}

/** The quote or escape that is open at the end of a line. */
export type OpenEnd = 'single quote' | 'double quote' | 'backslash';

interface SplitLine {
  readonly words: readonly LineWord[];
  readonly open?: OpenEnd;
  /** The end of the line is within a comment. */
  readonly isComment: boolean;
}

const BLANK = /\s/u;
const ESCAPED_IN_DOUBLE_QUOTES: ReadonlySet<string> = new Set(['"', '\\', '$', '`']);

interface Reader {
  readonly line: string;
  at: number;
}

/** Reads the part of a word up to the closing quote. */
function readSingleQuoted(reader: Reader): { text: string; open?: OpenEnd } {
  const start = reader.at + 1;
  const end = reader.line.indexOf("'", start);
  reader.at = end === -1 ? reader.line.length : end + 1;
  return end === -1
    ? { text: reader.line.slice(start), open: 'single quote' }
    : { text: reader.line.slice(start, end) };
}

function readDoubleQuoted(reader: Reader): { text: string; open?: OpenEnd } {
  const { line } = reader;
  let text = '';
  for (reader.at += 1; reader.at < line.length; reader.at += 1) {
    const char = line.charAt(reader.at);
    const next = line.charAt(reader.at + 1);
    if (char === '"') {
      reader.at += 1;
      return { text };
    }
    if (char === '\\' && ESCAPED_IN_DOUBLE_QUOTES.has(next)) {
      text += next;
      reader.at += 1;
    } else text += char;
  }
  return { text, open: 'double quote' };
}

function readPlain(reader: Reader): { text: string; open?: OpenEnd } {
  const char = reader.line.charAt(reader.at);
  reader.at += 1;
  if (char !== '\\') return { text: char };
  if (reader.at >= reader.line.length) return { text: '', open: 'backslash' };
  reader.at += 1;
  return { text: reader.line.charAt(reader.at - 1) };
}

function readPart(reader: Reader): { text: string; open?: OpenEnd } {
  const char = reader.line.charAt(reader.at);
  if (char === "'") return readSingleQuoted(reader);
  return char === '"' ? readDoubleQuoted(reader) : readPlain(reader);
}

/**
 * Splits a line into words as sh does, without any expansion: blanks separate words, single quotes keep everything, double quotes keep
 * everything but `\"`, `\\`, `\$` and a backslash before a backquote, a backslash keeps the next character, and `#` at the start of a word
 * begins a comment. `$`, `*`, `;`, `|`, `&`, `<` and `>` have no meaning. POSIX.1-2024, Shell Command Language, 2.2 Quoting
 */
export function splitLine(line: string): SplitLine {
  const reader: Reader = { line, at: 0 };
  const words: LineWord[] = [];
  while (reader.at < line.length) {
    const start = reader.at;
    if (BLANK.test(line.charAt(start))) {
      reader.at += 1;
      continue;
    }
    if (line.startsWith('#', start)) return { words, isComment: true };
    const { text, open } = readWord(reader);
    words.push({ text, start, end: reader.at });
    if (open !== undefined) return { words, open, isComment: false };
  }
  return { words, isComment: false };
}

function readWord(reader: Reader): { text: string; open?: OpenEnd } {
  let text = '';
  while (reader.at < reader.line.length && !BLANK.test(reader.line.charAt(reader.at))) {
    const part = readPart(reader);
    text += part.text;
    if (part.open !== undefined) return { text, open: part.open };
  }
  return { text };
}

/** Longest line of the shell, in UTF-16 code units. */
export const MAX_LINE_CHARS = 65_536;

/** Yields the lines of a stream. Of a line that is too long it yields one character more than the limit, and discards the rest. */
export async function* readInputLines(
  input: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of input) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        yield withoutReturn(rest);
        rest = '';
      }
      rest = (rest + line).slice(0, MAX_LINE_CHARS + 1);
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The commands that do not run inside the shell. */
export const OUTSIDE_COMMANDS: ReadonlySet<string> = new Set(['serve', 'stdio', 'shell']);

type ShellRequest =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly args: readonly string[] }
  | ({ readonly kind: 'refused' } & LineRefusal);

type LineRefusal =
  | { readonly code: 'too-long' }
  | { readonly code: 'open'; readonly open: OpenEnd }
  | { readonly code: 'outside'; readonly command: string };

function formatLineRefusal(refusal: LineRefusal): string {
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
export function toRequest(tree: TreeCommand, line: string): ShellRequest {
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

interface SharedOptions {
  readonly url?: string;
  readonly toolset?: string;
}

/** Returns the arguments of a command with the options of the shell. */
function withSharedOptions(
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

export interface LineRunner {
  readonly tree: TreeCommand;
  readonly run: (args: readonly string[], io: CliIo) => Promise<number>;
  readonly shared: SharedOptions;
}

const HELP = `
Inside the shell:
  help [command]  this text, or the help of a command
  exit            end the shell, as Ctrl+D does
  Ctrl+C          cancel the running command, or discard the line
Words are quoted as in sh; nothing is expanded. A line that starts with # is a comment.
`;

/** Runs what a line asks for. @returns its exit code */
export async function runLine(
  request: ShellRequest,
  io: CliIo,
  { tree, run, shared }: LineRunner,
): Promise<number> {
  switch (request.kind) {
    case 'nothing':
    case 'exit':
      return EXIT_CODES.succeeded;
    case 'help':
      await run(['--help'], io);
      io.stdout.write(HELP);
      return EXIT_CODES.succeeded;
    case 'refused':
      io.stderr.write(`gateway: ${formatLineRefusal(request)}\n`);
      return EXIT_CODES.refused;
    case 'run':
      return run(withSharedOptions(tree, withDefaultCommand(request.args), shared), io);
  }
}
