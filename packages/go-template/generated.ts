import type { GeneratedFile } from '@gateway/repo-checks';
import type { FunctionEntry } from './src/functions/definition.ts';
import { FUNCTION_TABLE } from './src/functions/function-table.ts';
import { DIFFERENCES_FROM_SPRIG, LEFT_OUT } from './sprig-differences.ts';

/** Code that may hold backticks and line ends, for a cell of a table. */
const code = (text: string): string => {
  const shown = text.replaceAll('\n', '⏎').replaceAll('|', '\\|');
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

const row = ({ signature, summary, example }: FunctionEntry): string =>
  `| ${code(signature)} | ${cell(summary)} | ${code(example.template)} | ${code(example.prints)} |`;

const entries: readonly FunctionEntry[] = Object.values(FUNCTION_TABLE);
const groups = [...new Set(entries.map(({ group }) => group))];

const section = (group: string): string =>
  [
    `## ${group}`,
    '',
    '| function | what it gives | example | prints |',
    '| --- | --- | --- | --- |',
    ...entries.filter((entry) => entry.group === group).map(row),
  ].join('\n');

const leftOut = [
  '## Left out on purpose',
  '',
  'A workflow gives the same document for the same input, the same answers of tools and the same time. Using one of these names is an error when the workflow is loaded.',
  '',
  '| functions of Sprig | why |',
  '| --- | --- |',
  ...LEFT_OUT.map(({ names, why }) => `| ${names.map(code).join(', ')} | ${why} |`),
];

const differences = [
  '## Differences from Sprig 3.3',
  '',
  ...DIFFERENCES_FROM_SPRIG.map((difference) => `- ${difference}`),
];

/** `docs/reference/template-functions.md`: the function table, which the interpreter uses as well. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/template-functions.md',
    text: () =>
      [
        '# Template functions',
        '',
        "Generated from the table that the template engine uses; every example is rendered by a test, with the clock at 2026-01-02T03:04:05Z. The dialect is Go's `text/template` with the functions of Sprig 3.3 that are pure. For use see [Workflows](../workflows.md).",
        '',
        'In a pipeline the value comes in as the last argument: `{{ .input.name | default "world" | upper }}`. `…` stands for more arguments of a kind, `[ ]` for arguments that may be left out, `⏎` for the end of a line.',
        '',
        groups.map(section).join('\n\n'),
        '',
        ...differences,
        '',
        ...leftOut,
        '',
      ].join('\n'),
  },
];
