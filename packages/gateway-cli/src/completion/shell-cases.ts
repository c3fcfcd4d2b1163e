import { allCommands, type TreeCommand, type ValueKind } from './command-tree.ts';
import type { ArgumentKind, NameKind } from './completed-names.ts';
import { quotedForShell } from './quoted-for-shell.ts';

/** Returns one branch of a `case` in bash and zsh. */
export const caseLine = (pattern: string, action: string): string =>
  `    ${quotedForShell(pattern)}) ${action} ;;`;

/** The branches that bash and zsh scripts have in common. */
export interface ShellCases {
  /** The paths of all commands below the first, as one pattern. */
  readonly steps: string;
  /** A branch for each option that takes a value. */
  readonly values: string;
  /** The options that take a value, with the paths of their commands, as one pattern. */
  readonly valued: string;
  /** A branch for each command whose arguments are names. It sets the variable `names` to their kind; `operand` is the first argument. */
  readonly names: string;
}

const namesAction = (kind: NameKind, argumentNames: ArgumentKind | undefined): string =>
  argumentNames === undefined
    ? `names=${kind}`
    : `names=${kind}; [[ -n $operand ]] && { names=${argumentNames}; place=("$operand"); }`;

/**
 * Returns the branches of a completion script that do not depend on the shell.
 *
 * @param completionOf returns the shell code that completes a value of this kind
 */
export function shellCases(
  tree: TreeCommand,
  completionOf: (value: ValueKind) => string,
): ShellCases {
  const commands = allCommands(tree);
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value.kind !== 'none')
      .map(({ flag, value }) => ({ place: `${path} ${flag}`, value })),
  );
  const values = valued.map(({ place, value }) => caseLine(place, completionOf(value)));
  const steps = commands.slice(1).map(({ path }) => quotedForShell(path));
  const names = commands.flatMap(({ path, names: kind, argumentNames }) =>
    kind === undefined ? [] : [caseLine(path, namesAction(kind, argumentNames))],
  );
  return {
    steps: steps.join('|'),
    valued: valued.map(({ place }) => quotedForShell(place)).join('|'),
    values: values.join('\n'),
    names: names.join('\n'),
  };
}
