import type { Command, Option } from 'commander';

/** The kinds of names of the arguments of a tool or workflow. */
const ARGUMENT_KINDS = ['tool-arguments', 'workflow-arguments'] as const;

/** The kinds of names that `gateway names` prints. */
export const NAME_KINDS = ['files', 'servers', 'tools', 'workflows', ...ARGUMENT_KINDS] as const;

/** A kind of names of the arguments of a tool or workflow, whose name the line has before. */
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number];

/** A kind of names: `files` are servers of a configuration directory, the others are those of the running gateway. */
export type NameKind = (typeof NAME_KINDS)[number];

/** The command that prints names for completion. Help and scripts do not show it. */
export const NAMES_COMMAND = 'names';

const KINDS: ReadonlyMap<string, NameKind> = new Map<string, NameKind>([
  ...['get', 'start', 'stop', 'restart', 'accept', 'logs'].map((verb): [string, NameKind] => [
    `servers ${verb}`,
    'servers',
  ]),
  ['servers edit', 'files'],
  ['servers remove', 'files'],
  ['tools describe', 'tools'],
  ['tools call', 'tools'],
  ['workflow run', 'workflows'],
]);

/** Returns the kind of names that are arguments of a command, by its path with the name of the program. */
const nameKindOf = (path: string): NameKind | undefined =>
  KINDS.get(path.split(' ').slice(1).join(' '));

const REST: ReadonlyMap<string, ArgumentKind> = new Map([
  ['tools call', 'tool-arguments'],
  ['workflow run', 'workflow-arguments'],
]);

/** Returns the kind of names that follow the first argument of a command, by its path with the name of the program. */
const argumentKindOf = (path: string): ArgumentKind | undefined =>
  REST.get(path.split(' ').slice(1).join(' '));

/** Returns a name as a line has it: arguments have the form `key=value`. */
export const nameInLine = (kind: NameKind, name: string): string =>
  ARGUMENT_KINDS.some((each) => each === kind) ? `${name}=` : name;

/** Commands that run one of their subcommands when the line names none, by their path. */
const DEFAULT_COMMANDS: ReadonlyMap<string, string> = new Map([['servers', 'list']]);

const HELP = new Set(['--help', '-h']);

/**
 * Returns a command line in which the subcommand that runs by default is named. A word that may be the name of another subcommand stays, so that
 * a wrong name is an unknown command.
 */
export function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [command = '', next = '', ...rest] = args;
  const subcommand = DEFAULT_COMMANDS.get(command);
  const isNamed = next !== '' && !next.startsWith('-');
  if (subcommand === undefined || isNamed || [next, ...rest].some((word) => HELP.has(word)))
    return args;
  return [command, subcommand, ...args.slice(1)];
}

/** The kind of value of an option. */
export type ValueKind =
  | { readonly kind: 'none' }
  | { readonly kind: 'free' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** One option of a command. */
export interface TreeOption {
  /** The flag with its dashes. */
  readonly flag: string;
  /** The flag with its value, as in the help. */
  readonly usage: string;
  readonly description: string;
  readonly value: ValueKind;
  readonly isRequired: boolean;
  /** The environment variable that replaces the option. */
  readonly variable?: string;
  readonly fallback?: string;
}

/** One command, with the data for completion and documentation. */
export interface TreeCommand {
  /** The command with its parents: `gateway tools list`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** The arguments, as in the help: `<name> [arguments...]`. */
  readonly operands: string;
  /** The values that the first argument may have. Empty when any value is allowed. */
  readonly choices: readonly string[];
  /** The names that an argument may have; absent when no names are known. */
  readonly names?: NameKind;
  /** The names that the arguments after the first one may have; absent when they are those of the first. */
  readonly argumentNames?: ArgumentKind;
  readonly options: readonly TreeOption[];
  readonly commands: readonly TreeCommand[];
}

const DIRECTORY = /<dir>/u;

function valueOf({ flags, required, optional, argChoices }: Option): ValueKind {
  if (!required && !optional) return { kind: 'none' };
  if (argChoices !== undefined) return { kind: 'choice', choices: argChoices };
  return { kind: DIRECTORY.test(flags) ? 'directory' : 'free' };
}

function treeOption(option: Option): TreeOption {
  const { long, flags, description, mandatory, envVar } = option;
  const fallback: unknown = option.defaultValue;
  return {
    flag: long ?? flags,
    usage: flags,
    description,
    value: valueOf(option),
    isRequired: mandatory,
    ...(envVar !== undefined && { variable: envVar }),
    ...(fallback !== undefined && {
      fallback: typeof fallback === 'string' ? fallback : JSON.stringify(fallback),
    }),
  };
}

/** Returns the tree of commands as data. */
export function commandTree(command: Command, parent = ''): TreeCommand {
  const path = parent === '' ? command.name() : `${parent} ${command.name()}`;
  const names = nameKindOf(path);
  const argumentNames = argumentKindOf(path);
  const operands = command.registeredArguments.map((operand) => {
    const name = `${operand.name()}${operand.variadic ? '...' : ''}`;
    return operand.required ? `<${name}>` : `[${name}]`;
  });
  return {
    path,
    name: command.name(),
    description: command.description(),
    operands: operands.join(' '),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    ...(names !== undefined && { names }),
    ...(argumentNames !== undefined && { argumentNames }),
    options: command.options.filter(({ hidden }) => !hidden).map(treeOption),
    commands: command.commands
      .filter((sub) => sub.name() !== NAMES_COMMAND)
      .map((sub) => commandTree(sub, path)),
  };
}

/** Returns a command and its descendants, in order. */
export const allCommands = (tree: TreeCommand): readonly TreeCommand[] => [
  tree,
  ...tree.commands.flatMap(allCommands),
];

/** A word that completes a command. */
interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

/** Returns the words that may follow a command: subcommands, values of the first argument, and options. */
export const wordsAfter = ({
  commands,
  choices,
  options,
}: TreeCommand): readonly CompletionWord[] => [
  ...commands.map(({ name, description }) => ({ word: name, description })),
  ...choices.map((word) => ({ word, description: '' })),
  ...options.map(({ flag, description }) => ({ word: flag, description })),
  { word: '--help', description: 'display help' },
];
