import { allCommands, type TreeCommand, type TreeOption } from './command-tree.ts';

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
export const commandReference = (tree: TreeCommand): string =>
  [
    '# Commands',
    '',
    `Generated from the command tree that \`${tree.name}\` runs. For how to use them see [the command line](../cli.md). Every command also knows \`--help\`.`,
    '',
    ...allCommands(tree)
      .filter(({ commands }) => commands.length === 0)
      .map((command) => `${sectionOf(command)}\n`),
  ].join('\n');
