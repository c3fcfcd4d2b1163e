import type { GeneratedFile } from '@gateway/repo-checks';
import type { FunctionEntry } from './src/functions/definition.ts';
import { FUNCTION_TABLE } from './src/functions/function-table.ts';
import { DIFFERENCES_FROM_SPRIG, LEFT_OUT } from './sprig-differences.ts';

/** Code that may hold backticks and line ends, on one line. */
const code = (text: string): string => {
  const shown = text.replaceAll('\n', '⏎');
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
};

const ONE_ACTION = /^\{\{ (?<action>(?:(?!\}\}).)*) \}\}$/su;

/** The example without the braces when it is one action. */
const exampleOf = ({ template, prints }: FunctionEntry['example']): string =>
  `${code(ONE_ACTION.exec(template)?.groups?.['action'] ?? template)} → ${code(prints)}`;

const ALIAS = /^The same as `(?<name>\w+)`\.$/u;

const nameOf = ({ signature }: FunctionEntry): string => signature.split(' ')[0] ?? signature;

const entries: readonly FunctionEntry[] = Object.values(FUNCTION_TABLE);
const groups = [...new Set(entries.map(({ group }) => group))];
const isAlias = ({ summary }: FunctionEntry): boolean => ALIAS.test(summary);

const aliasesOf = (name: string): readonly string[] =>
  entries
    .filter(({ summary }) => ALIAS.exec(summary)?.groups?.['name'] === name)
    .map((entry) => code(nameOf(entry)));

const item = (entry: FunctionEntry): string => {
  const aliases = aliasesOf(nameOf(entry));
  const also = aliases.length === 0 ? '' : ` Also ${aliases.join(', ')}.`;
  return `- ${code(entry.signature)}: ${entry.summary}${also} ${exampleOf(entry.example)}`;
};

const section = (group: string): string =>
  [
    `## ${group}`,
    '',
    ...entries.filter((entry) => entry.group === group && !isAlias(entry)).map(item),
  ].join('\n');

const leftOut = [
  '## Left out on purpose',
  '',
  'One of these names is an error when the workflow is loaded: the same input, answers of tools and time lead to the same document.',
  '',
  ...LEFT_OUT.map(({ names, why }) => `- ${names.map(code).join(', ')}: ${why}`),
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
        "Generated. Go's `text/template` with the pure functions of Sprig 3.3. For use see [Workflows](../workflows.md).",
        '',
        'In a pipeline the value comes in as the last argument: `{{ .input.name | default "world" | upper }}`. `…` stands for more arguments of a kind, `[ ]` for arguments that may be left out, `⏎` for the end of a line. Most examples are shown without their `{{ }}`; the clock is at 2026-01-02T03:04:05Z.',
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
