import { allCommands, type TreeCommand, type ValueKind } from './command-tree.ts';
import { quotedForShell } from './quoted-for-shell.ts';

/** One branch of a `case`, as bash and zsh write it. */
export const caseLine = (pattern: string, action: string): string =>
  `    ${quotedForShell(pattern)}) ${action} ;;`;

/** What bash and zsh scripts tell apart in the same way. */
export interface ShellCases {
  /** The paths of all commands below the first, as one pattern. */
  readonly steps: string;
  /** A branch for each option that takes a value. */
  readonly values: string;
}

/**
 * The branches of a completion script that do not depend on the shell.
 *
 * @param answerTo what the shell does where a value of this kind stands
 */
export function shellCases(tree: TreeCommand, answerTo: (value: ValueKind) => string): ShellCases {
  const commands = allCommands(tree);
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value.kind !== 'none')
      .map(({ flag, value }) => caseLine(`${path} ${flag}`, answerTo(value))),
  );
  const steps = commands.slice(1).map(({ path }) => quotedForShell(path));
  return { steps: steps.join('|'), values: values.join('\n') };
}
