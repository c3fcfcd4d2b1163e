import type { GeneratedFile } from '@gateway/repo-checks';
import { createBufferedIo } from './src/cli-io.ts';
import {
  listTreeCommands,
  createCommandTree,
  type TreeCommand,
  type TreeOption,
} from './src/completion/command-tree.ts';
import { createProgram } from './src/run-cli.ts';

const code = (text: string): string => `\`${text}\``;

function meaningOf({ description, value, isRequired, variable, fallback }: TreeOption): string {
  const choices = value.kind === 'choice' ? value.choices.map(code).join(', ') : '';
  return [
    description,
    choices === '' ? '' : `: ${choices}`,
    isRequired ? '; required' : '',
    fallback === undefined ? '' : `; default ${code(fallback)}`,
    variable === undefined ? '' : `; or ${code(variable)} in the environment`,
  ].join('');
}

const lineOf = (option: TreeOption): string => `- ${code(option.usage)}: ${meaningOf(option)}`;

/** The options that several commands have with the same meaning, by flag; of one flag the most frequent. */
function sharedLines(commands: readonly TreeCommand[]): readonly string[] {
  const options = commands.flatMap((command) => command.options);
  const counts = Map.groupBy(options.map(lineOf), (line) => line);
  const countOf = (line: string): number => counts.get(line)?.length ?? 0;
  return [...Map.groupBy(options, ({ flag }) => flag).values()].flatMap((same) => {
    const [line = ''] = same.map(lineOf).toSorted((a, b) => countOf(b) - countOf(a));
    return countOf(line) > 1 ? [line] : [];
  });
}

function sectionOf(command: TreeCommand, shared: readonly string[]): string {
  const { path, operands, description, options, choices } = command;
  const usage = [path, operands].filter((part) => part !== '').join(' ');
  const lines = [
    `## \`${usage}\``,
    '',
    `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
  ];
  if (choices.length > 0) lines.push('', `The argument is one of ${choices.map(code).join(', ')}.`);
  const common = options.filter((option) => shared.includes(lineOf(option)));
  const own = options.filter((option) => !common.includes(option));
  if (options.length > 0) lines.push('');
  lines.push(...own.map(lineOf));
  if (common.length > 0) lines.push(`- Common: ${common.map(({ flag }) => code(flag)).join(', ')}`);
  return lines.join('\n');
}

/** Returns the reference of all commands without subcommands, as Markdown. */
const commandReference = (tree: TreeCommand): string => {
  const commands = listTreeCommands(tree).filter((command) => command.commands.length === 0);
  const shared = sharedLines(commands);
  return [
    '# Commands',
    '',
    `Generated from the command tree that \`${tree.name}\` runs. For how to use them see [the command line](../cli.md). Every command also knows \`--help\`.`,
    '',
    '## Common options',
    '',
    'A command that has one of these names it under "Common".',
    '',
    ...shared,
    '',
    ...commands.map((command) => `${sectionOf(command, shared)}\n`),
  ].join('\n');
};

const doNothing = () => Promise.resolve(undefined as never);

/** The command tree, without programs to run. */
const program = () =>
  createProgram({
    io: createBufferedIo(),
    serving: {
      serve: doNothing,
      serveStdio: doNothing,
      stateProblem: doNothing,
      toolsetProblem: () => undefined,
      probeServers: doNothing,
    },
    run: doNothing,
    end: () => undefined,
  });

/** `docs/reference/commands.md`: the command tree. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/commands.md',
    text: () => commandReference(createCommandTree(program())),
  },
];
