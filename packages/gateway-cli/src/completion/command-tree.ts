import type { Command, Option } from 'commander';
import {
  argumentKindOf,
  nameKindOf,
  NAMES_COMMAND,
  type ArgumentKind,
  type NameKind,
} from './completed-names.ts';

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
export interface CompletionWord {
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
