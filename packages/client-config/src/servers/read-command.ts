import type { JsonObject } from '../reading/json-object.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';
import { isTextList } from './text-values.ts';

/** The command of a stdio server in fields. */
interface ReadCommand {
  readonly fields: JsonObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

const NOTHING: ReadCommand = { fields: {}, problems: [], notes: [] };

const MAX_SPLIT_CHARS = 1_000;

/** A character that a shell interprets: only a shell knows what the command line means. */
const SHELL = /["'`$\\;|&<>*?(){}#~!\n]/;

const wrong = (field: string, rule: string): ReadCommand => ({
  ...NOTHING,
  problems: [{ code: 'wrong-value', field, rule }],
});

/** Returns a command that contains its arguments, split where that is safe. The gateway starts programs without a shell. */
const splitCommand = (command: string, args: readonly string[]): ReadCommand => {
  if (command.length > MAX_SPLIT_CHARS || SHELL.test(command))
    return { ...NOTHING, fields: { command, args }, problems: [{ code: 'command-line', command }] };
  const [program = '', ...words] = command.split(/\s+/);
  return {
    ...NOTHING,
    fields: { command: program, args: [...words, ...args] },
    notes: [{ code: 'split-command', command, program }],
  };
};

/** A path with spaces, such as that of a program on Windows or macOS, is one word. */
const isPath = (command: string): boolean => /^(?:[A-Za-z]:)?[\\/]/.test(command);

/** Reads `command` and `args` of a server; nothing for a server without a command. */
export const readCommand = ({ command, args = [] }: JsonObject): ReadCommand => {
  if (command === undefined) return NOTHING;
  if (typeof command !== 'string' || command.trim() === '') return wrong('command', 'a text');
  if (!isTextList(args)) return wrong('args', 'a list of texts');
  const trimmed = command.trim();
  return /\s/.test(trimmed) && !isPath(trimmed)
    ? splitCommand(trimmed, args)
    : { ...NOTHING, fields: { command: trimmed, ...(args.length > 0 && { args }) } };
};
