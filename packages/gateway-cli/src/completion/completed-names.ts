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
export const nameKindOf = (path: string): NameKind | undefined =>
  KINDS.get(path.split(' ').slice(1).join(' '));

const REST: ReadonlyMap<string, ArgumentKind> = new Map([
  ['tools call', 'tool-arguments'],
  ['workflow run', 'workflow-arguments'],
]);

/** Returns the kind of names that follow the first argument of a command, by its path with the name of the program. */
export const argumentKindOf = (path: string): ArgumentKind | undefined =>
  REST.get(path.split(' ').slice(1).join(' '));

/** Returns a name as a line has it: arguments have the form `key=value`. */
export const nameInLine = (kind: NameKind, name: string): string =>
  ARGUMENT_KINDS.some((each) => each === kind) ? `${name}=` : name;
