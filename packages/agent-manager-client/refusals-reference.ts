import { readFile } from 'node:fs/promises';

interface Case {
  readonly operation: string;
  readonly situation: string;
  readonly refusal?: { readonly status: number; readonly code: string; readonly message: string };
}

interface Row {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly situations: Set<string>;
}

const VECTORS = new URL('./vectors/refusals.json', import.meta.url);

/** What messages have in common that differ in what they quote, or in the argument of a wrong type. */
const kindOf = (message: string): string =>
  message
    .replaceAll(/"[^"]*"/gu, '"…"')
    .replaceAll(/\b(?:default|team-a)\/\S+?(?=[:\s]|$)/gu, '…')
    .replace(/: \S+ must be an? (?:string|array|boolean|object)$/u, ': wrong type');

const rowsOf = (cases: readonly Case[]): readonly Row[] => {
  const rows = new Map<string, Row>();
  for (const { situation, refusal } of cases) {
    if (refusal === undefined) continue;
    const kind = kindOf(refusal.message);
    const row = rows.get(kind) ?? { ...refusal, situations: new Set() };
    row.situations.add(situation);
    rows.set(kind, row);
  }
  return [...rows.values()].sort((a, b) => a.status - b.status);
};

const line = ({ message, situations }: Row): string => {
  const [first = '', ...others] = situations;
  const more = others.length === 0 ? '' : ', and similar';
  return `- \`${message.replace(/^[^:]+: /u, '')}\`: ${first}${more}`;
};

/** One list for each code. */
const sections = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.map(({ status, code }) => `${String(status)} \`${code}\``))].flatMap((title) => {
    const own = rows.filter(({ status, code }) => title === `${String(status)} \`${code}\``);
    const [words = ''] = own[0]?.message.split(': ') ?? [];
    return [`## ${title}`, '', `Messages start with \`${words}: \`.`, '', ...own.map(line), ''];
  });

/** `docs/reference/agent-manager-refusals.md`: the vectors for people, one row for each kind of message. */
export const refusalsReference = async (): Promise<string> => {
  const { cases } = JSON.parse(await readFile(VECTORS, 'utf8')) as { cases: readonly Case[] };
  return [
    '# Refusals of agent-manager',
    '',
    'Generated from the [vectors](../../packages/agent-manager-client/vectors/refusals.json), which have every case and its operations.',
    '',
    'Over REST a refusal is the body `{"error":{"code":…,"message":…}}` with this status, over MCP a result with `isError` and the text `<code>: <reason>`, where the reason is the message without the words of its code.',
    'Names are examples: `default` and `team-a` are managed here. `validate_agent` does not refuse what it is asked to find: it answers `valid: false`,',
    'and the reasons as `errors`.',
    '',
    ...sections(rowsOf(cases)),
  ].join('\n');
};
