import type { GeneratedFile } from '@gateway/repo-checks';
import { createBufferedIo } from './src/cli-io.ts';
import {
  listTreeCommands,
  createCommandTree,
  type TreeCommand,
  type TreeOption,
} from './src/completion/command-tree.ts';
import { createProgram } from './src/run-cli.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

const code = (text: string): string => `\`${cell(text)}\``;

function meaningOf({ description, value, isRequired, variable, fallback }: TreeOption): string {
  const choices = value.kind === 'choice' ? value.choices.map(code).join(', ') : '';
  return [
    cell(description),
    choices === '' ? '' : `: ${choices}`,
    isRequired ? '; required' : '',
    fallback === undefined ? '' : `; default ${code(fallback)}`,
    variable === undefined ? '' : `; or ${code(variable)} in the environment`,
  ].join('');
}

function sectionOf({ path, operands, description, options, choices }: TreeCommand): string {
  const usage = [path, operands].filter((part) => part !== '').join(' ');
  const lines = [
    `## \`${usage}\``,
    '',
    `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
  ];
  if (choices.length > 0) lines.push('', `The argument is one of ${choices.map(code).join(', ')}.`);
  if (options.length > 0) lines.push('', '| option | meaning |', '| --- | --- |');
  for (const option of options) lines.push(`| ${code(option.usage)} | ${meaningOf(option)} |`);
  return lines.join('\n');
}

/** Returns the reference of all commands without subcommands, as Markdown. */
const commandReference = (tree: TreeCommand): string =>
  [
    '# Commands',
    '',
    `Generated from the command tree that \`${tree.name}\` runs. For how to use them see [the command line](../cli.md). Every command also knows \`--help\`.`,
    '',
    ...listTreeCommands(tree)
      .filter(({ commands }) => commands.length === 0)
      .map((command) => `${sectionOf(command)}\n`),
  ].join('\n');

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
