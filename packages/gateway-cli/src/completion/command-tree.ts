import type { Command, Option } from 'commander';

const ARGUMENT_KINDS = ['tool-arguments', 'workflow-arguments'] as const;

export const NAME_KINDS = ['files', 'servers', 'tools', 'workflows', ...ARGUMENT_KINDS] as const;

/** A kind of names of the arguments of a tool or workflow, whose name the line has before. */
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number];

export type NameKind = (typeof NAME_KINDS)[number];

/** The command that prints names for completion. Help and scripts do not show it. */
export const NAMES_COMMAND = 'names';

export interface CompletedNames {
  readonly first: NameKind;
  /** Of the arguments after the first; those of the first when absent. */
  readonly rest?: ArgumentKind;
}

export const completedNames = new WeakMap<Command, CompletedNames>();

/** Returns a name as a line has it: arguments have the form `key=value`. */
export const formatLineName = (kind: NameKind, name: string): string =>
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

export type CompletionKind =
  | { readonly kind: 'none' }
  | { readonly kind: 'free' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

export interface TreeOption {
  readonly flag: string;
  readonly usage: string;
  readonly description: string;
  readonly value: CompletionKind;
  readonly isRequired: boolean;
  /** The environment variable that replaces the option. */
  readonly variable?: string;
  readonly fallback?: string;
}

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

function toValue({ flags, required, optional, argChoices }: Option): CompletionKind {
  if (!required && !optional) return { kind: 'none' };
  if (argChoices !== undefined) return { kind: 'choice', choices: argChoices };
  return { kind: DIRECTORY.test(flags) ? 'directory' : 'free' };
}

function toTreeOption(option: Option): TreeOption {
  const { long, flags, description, mandatory, envVar } = option;
  const fallback: unknown = option.defaultValue;
  return {
    flag: long ?? flags,
    usage: flags,
    description,
    value: toValue(option),
    isRequired: mandatory,
    ...(envVar !== undefined && { variable: envVar }),
    ...(fallback !== undefined && {
      fallback: typeof fallback === 'string' ? fallback : JSON.stringify(fallback),
    }),
  };
}

export function createCommandTree(command: Command, parent = ''): TreeCommand {
  const path = parent === '' ? command.name() : `${parent} ${command.name()}`;
  const { first: names, rest: argumentNames } = completedNames.get(command) ?? {};
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
    options: command.options.filter(({ hidden }) => !hidden).map(toTreeOption),
    commands: command.commands
      .filter((sub) => sub.name() !== NAMES_COMMAND)
      .map((sub) => createCommandTree(sub, path)),
  };
}

/** Returns a command and its descendants, in order. */
export const listTreeCommands = (tree: TreeCommand): readonly TreeCommand[] => [
  tree,
  ...tree.commands.flatMap(listTreeCommands),
];

interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

/** Returns the words that may follow a command: subcommands, values of the first argument, and options. */
export const listNextWords = ({
  commands,
  choices,
  options,
}: TreeCommand): readonly CompletionWord[] => [
  ...commands.map(({ name, description }) => ({ word: name, description })),
  ...choices.map((word) => ({ word, description: '' })),
  ...options.map(({ flag, description }) => ({ word: flag, description })),
  { word: '--help', description: 'display help' },
];
