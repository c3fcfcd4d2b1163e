import type { Command, Option } from 'commander';

/** What follows an option. */
export type ValueKind =
  | { readonly kind: 'none' }
  | { readonly kind: 'free' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** One option of a command. */
export interface TreeOption {
  /** With its dashes. */
  readonly flag: string;
  /** As help shows it: the flag with its value. */
  readonly usage: string;
  readonly description: string;
  readonly value: ValueKind;
  readonly isRequired: boolean;
  /** The environment variable that stands in for it. */
  readonly variable?: string;
  readonly fallback?: string;
}

/** One command, with everything that completion and documentation need of it. */
export interface TreeCommand {
  /** From the program's name on: `gateway tools list`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** As help shows them: `<name> [arguments...]`. */
  readonly operands: string;
  /** What may stand in the place of its first argument, where that is known. */
  readonly choices: readonly string[];
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

/** The tree of commands as data. */
export function commandTree(command: Command, parent = ''): TreeCommand {
  const path = parent === '' ? command.name() : `${parent} ${command.name()}`;
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
    options: command.options.filter(({ hidden }) => !hidden).map(treeOption),
    commands: command.commands.map((sub) => commandTree(sub, path)),
  };
}

/** A command and all below it, in order. */
export const allCommands = (tree: TreeCommand): readonly TreeCommand[] => [
  tree,
  ...tree.commands.flatMap(allCommands),
];

/** What may be typed after a command. */
export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

/** The words that may follow a command: what is below it, its arguments where they are known, its options. */
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
