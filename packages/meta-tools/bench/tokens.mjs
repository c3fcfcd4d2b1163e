// What listings cost a model, in tokens of o200k_base, over real tools: those of LiveMCPBench, repeated on further servers where they are too few.
// Run after a build of this package and those it imports: `node bench/tokens.mjs`.
import { ANONYMOUS } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { parsePresets } from '@gateway/preset-resolver';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readFileSync } from 'node:fs';
import { createMetaTools } from '../dist/index.js';

const DATA = new URL('../../catalog/bench/data/livemcp-tools.json', import.meta.url);
const LISTED = JSON.parse(readFileSync(DATA, 'utf8'));

const toTool = ({ tool, description, inputSchema = { type: 'object' } }) => ({
  name: tool,
  description,
  inputSchema,
});

/** A catalog of this many tools. */
const catalogOf = (count) => {
  const listed = Array.from({ length: count }, (_, index) => {
    const entry = LISTED[index % LISTED.length];
    const copy = Math.floor(index / LISTED.length);
    return copy === 0 ? entry : { ...entry, server: `${entry.server}-${copy}` };
  });
  const servers = [...Map.groupBy(listed, ({ server }) => server)].map(([name, entries]) => ({
    name,
    labels: {},
    tools: entries.map(toTool),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  }));
  return buildCatalog({ servers, workflows: [], coreTools: [] });
};

const { value: presets } = parsePresets({}, { gatewayVersion: '5.13.0' });
const NOBODY = [];
const context = { principal: ANONYMOUS, sessionId: 's', signal: new AbortController().signal };

const createTools = (snapshot, pageSize) =>
  createMetaTools(
    {
      snapshot: () => snapshot,
      presets: () => presets,
      serversRequiringAuth: () => NOBODY,
      lastKnownTools: () => undefined,
    },
    { apiGroup: 'gateway.internal', pageSize },
  );

const costOf = (snapshot, pageSize) => {
  const request = { name: 'list_tools', arguments: {}, toolsetHeader: undefined, context };
  const { content } = createTools(snapshot, pageSize).call(request);
  return countTokens(content[0].text);
};

const { definitions } = createTools(catalogOf(1), 100);
console.log(`tools/list: ${countTokens(JSON.stringify({ tools: definitions }))} tokens`);
console.table(
  [100, 300, 2_000].map((count) => {
    const snapshot = catalogOf(count);
    return { tools: count, everything: costOf(snapshot, 0), 'first page': costOf(snapshot, 100) };
  }),
);
