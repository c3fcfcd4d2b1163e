import { type JsonObject, toObjects, toText } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { readMember } from '@gateway/mcp-wire';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { harnessOf } from '../harness.ts';
import { contextOf } from '../native/native-harness.ts';

interface ListedTool {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
}

const read = (file: string): string =>
  readFileSync(new URL(`../../../catalog/bench/data/${file}`, import.meta.url), 'utf8');

const catalogOf = (file: string) => {
  const byServer = Map.groupBy(
    JSON.parse(read(file)) as readonly ListedTool[],
    (one) => one.server,
  );
  const servers = [...byServer].map(([name, listed]) => ({
    name,
    labels: {},
    tools: listed.map(({ tool, description, inputSchema = { type: 'object' } }) => ({
      name: tool,
      description,
      inputSchema,
    })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  }));
  return buildCatalog({ servers, workflows: [], coreTools: [] });
};

const queriesOf = (file: string): readonly string[] =>
  read(file)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[2] ?? '');

const referenceQueries = (JSON.parse(read('reference-queries.json')) as { query: string }[]).map(
  ({ query }) => query,
);

it.each([
  ['the development queries', 'livemcp-tools.json', queriesOf('development-queries.tsv')],
  ['the tasks of LiveMCPBench', 'livemcp-tools.json', queriesOf('livemcp-tasks.tsv')],
  ['the reference queries', 'reference-tools.json', referenceQueries],
])(
  'an answer of filter_tools costs at most 600 tokens for 95 of 100 of %s',
  async (_, file, queries) => {
    const snapshot = catalogOf(file);
    const { metaTools } = harnessOf({ snapshotOf: () => snapshot });
    const tokens: number[] = [];
    for (const query of queries) {
      const request = { name: 'filter_tools', arguments: { query }, toolsetHeader: undefined };
      const answer = await metaTools.call({ ...request, context: contextOf() });
      const [item] = toObjects(readMember(answer, 'content'));
      tokens.push(countTokens(toText(item?.['text'])));
    }
    const sorted = tokens.toSorted((a, b) => a - b);
    expect(sorted[Math.ceil(sorted.length * 0.95) - 1]).toBeLessThanOrEqual(600);
    expect(sorted[sorted.length >> 1]).toBeGreaterThan(200);
  },
);
