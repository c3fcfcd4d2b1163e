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
