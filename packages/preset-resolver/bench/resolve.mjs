// Resolves 32 selectors, one of them a preset of 20 rules, over 10,000 tools of 81 servers.
// Usage after a build of this package and those it imports: node bench/resolve.mjs [--json]
import { buildCatalog } from '@gateway/catalog';
import { parseToolset } from '@gateway/toolset-grammar';
import { parsePresets, resolveToolset } from '../dist/index.js';

const TOOLS = 10_000;
const SERVERS = 81;
const ROUNDS = 200;

const tool = (index) => ({
  name: `${['get', 'list', 'delete', 'update'][index % 4]}_thing_${index}`,
  description: 'Does a thing.',
  inputSchema: { type: 'object' },
  ...(index % 4 < 2 ? { annotations: { readOnlyHint: true } } : {}),
});
const server = (index) => ({
  name: `server-${index}`,
  labels: { zone: `z${index % 5}`, ...(index % 9 === 0 ? { team: 'core' } : {}) },
  tools: Array.from({ length: Math.ceil((TOOLS - index) / SERVERS) }, (_, i) => tool(i)),
  resources: [],
  resourceTemplates: [],
  prompts: [],
});
const servers = Array.from({ length: SERVERS }, (_, index) => server(index));
const first = buildCatalog({ servers, workflows: [], coreTools: [] });
/** The snapshot after one server has changed; no resolution has seen it. */
const nextCatalog = (previous) =>
  buildCatalog(
    {
      servers: [...servers.slice(0, -1), { ...server(SERVERS - 1) }],
      workflows: [],
      coreTools: [],
    },
    previous,
  );

const config = {
  base: { include: [{ server: 'server-70' }, { readOnly: true }] },
  twenty: {
    include: [
      { tool: 'x_server-1_get_thing_0' },
      { tool: 'x_server-2_list_thing_1' },
      { tool: 'x_server-3_delete_thing_2' },
      { pattern: 'x_server-4*' },
      { pattern: '*_thing_77' },
      { pattern: 'x_*_get_*9' },
      { pattern: 'x_server-[1-3]?_update_*' },
      { server: 'server-10' },
      { server: 'server-11' },
      { server: 'server-12' },
      { workflow: 'report' },
      { workflow: 'deploy' },
      { readOnly: true },
      { preset: 'base' },
      { label: 'team=core' },
      { label: 'zone=z1' },
      { label: 'team' },
    ],
    exclude: [{ pattern: '*_delete_*' }, { server: 'server-80' }, { label: 'zone=z4' }],
  },
};
/** Presets that no resolution has seen: everything that was remembered is void. */
const newPresets = () => {
  const parsed = parsePresets(config, { gatewayVersion: '5.13.0' });
  if (!parsed.ok) throw new Error('the presets of the benchmark are refused');
  return parsed.value;
};
const items = [
  'preset:twenty',
  ...Array.from({ length: 15 }, (_, index) => `server:server-${index + 20}`),
  ...Array.from({ length: 16 }, (_, index) => `tool:x_server-${index + 40}_get_thing_4`),
];
const inline = parseToolset(items);
if (!inline.ok) throw new Error('the toolset of the benchmark is refused');
const { value: toolset } = inline;

/** What a resolver without a memo and without indexes does: asks every selector of every tool. */
const baseline = (catalog) => {
  const names = new Set();
  for (const { kind, name } of toolset.selectors)
    for (const one of catalog.tools)
      if (kind === 'server' ? one.server === name : one.name === name) names.add(one.name);
  return names.size;
};

const microseconds = (run) => {
  const start = performance.now();
  run();
  return (performance.now() - start) * 1000;
};
const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
const p99 = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length * 0.99)];

const ask = (catalog, presets) => resolveToolset({ toolset, presets, catalog });

const presetSets = Array.from({ length: ROUNDS }, newPresets);
for (const presets of presetSets) ask(first, presets);
const presets = newPresets();
const freshSets = Array.from({ length: ROUNDS }, newPresets);
const cpuBefore = process.cpuUsage();
const cold = freshSets.map((fresh) => microseconds(() => ask(first, fresh)));
const { user, system } = process.cpuUsage(cpuBefore);
const rebuilt = [];
for (let index = 0, catalog = first; index < ROUNDS; index += 1) {
  catalog = nextCatalog(catalog);
  rebuilt.push(microseconds(() => ask(catalog, presets)));
}
const answer = ask(first, presets);
const warm = Array.from({ length: 10_000 }, () => microseconds(() => ask(first, presets)));
const scan = Array.from({ length: ROUNDS }, () => microseconds(() => baseline(first)));

const figures = {
  tools: first.tools.length,
  selected: answer.ok ? answer.value.selection.size : 0,
  coldMedianUs: median(cold),
  coldP99Us: p99(cold),
  coldBestUs: Math.min(...cold),
  coldCpuUs: (user + system) / ROUNDS,
  rebuiltMedianUs: median(rebuilt),
  warmMedianUs: median(warm),
  warmP99Us: p99(warm),
  baselineMedianUs: median(scan),
  baselineBestUs: Math.min(...scan),
  coldToBaseline: Math.min(...cold) / Math.min(...scan),
  warmToBaseline: median(warm) / median(scan),
};
if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
else console.table(figures);
