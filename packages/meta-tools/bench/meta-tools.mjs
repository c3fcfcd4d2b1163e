// Figures of the warm meta-tools over 10,000 tools, each with its ratio to a naive answer in the same process.
// Run after a build of this package and those it imports: `pnpm bench`, `pnpm bench --json`.
import { ANONYMOUS } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { parsePresets } from '@gateway/preset-resolver';
import { createMetaTools, NativeSurface } from '../dist/index.js';

const SERVERS = 100;
const TOOLS_PER_SERVER = 100;
const VERBS = [
  'read',
  'write',
  'list',
  'delete',
  'search',
  'create',
  'update',
  'watch',
  'copy',
  'move',
];
const NOUNS = [
  'file',
  'pod',
  'issue',
  'page',
  'branch',
  'metric',
  'alert',
  'secret',
  'user',
  'volume',
];

const toolOf = (server, index) => {
  const verb = VERBS[index % 10];
  const noun = NOUNS[Math.floor(index / 10)];
  return {
    name: `${verb}_${noun}`,
    description: `${verb} one ${noun} of project ${server}\n${'Longer words about it. '.repeat(20)}`,
    inputSchema: {
      type: 'object',
      properties: { [noun]: { type: 'string', description: `the ${noun} to ${verb}` } },
    },
    annotations: { readOnlyHint: index % 3 === 0 },
  };
};

const snapshot = buildCatalog({
  servers: Array.from({ length: SERVERS }, (_, server) => ({
    name: `server-${server}`,
    labels: {},
    tools: Array.from({ length: TOOLS_PER_SERVER }, (_, index) => toolOf(server, index)),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  })),
  workflows: [],
  coreTools: [],
});
const { value: presets } = parsePresets({}, { gatewayVersion: '5.13.0' });
const signedOut = [];
const unused = () => Promise.reject(new Error('not called'));
const NO_RESOURCES = [];

const ports = {
  snapshot: () => snapshot,
  presets: () => presets,
  gatewayResources: () => NO_RESOURCES,
  serversRequiringAuth: () => signedOut,
  lastKnownTools: () => undefined,
  signsUsersIn: () => false,
  callServerTool: () => Promise.resolve({ ok: true, result: { content: [] } }),
  callCoreTool: unused,
  callWorkflow: unused,
  readResource: unused,
  getPrompt: unused,
  onCallRefused: () => undefined,
  onToolsetRefusal: () => undefined,
  warn: () => undefined,
  complete: unused,
  subscribeResource: unused,
};
const metaTools = createMetaTools(ports, { apiGroup: 'gateway.internal', pageSize: 100 });
const surface = new NativeSurface(ports);

const context = { principal: ANONYMOUS, sessionId: 's', signal: new AbortController().signal };
const ask = (name, args, header) => () =>
  metaTools.call({
    name,
    arguments: args,
    toolsetHeader: header === undefined ? undefined : [header],
    context,
  });

// What a gateway does that keeps nothing: filter the whole list by name for every request.
const entry = ({ name, description, server, kind, annotations }) => ({
  name,
  description,
  server,
  kind,
  annotations,
});
const naive = (keep) => () => JSON.stringify({ tools: snapshot.tools.filter(keep).map(entry) });
const naiveSearch = (words) => () => {
  const scored = snapshot.tools.map((tool) => {
    const text =
      `${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`.toLowerCase();
    return { tool, score: words.filter((word) => text.includes(word)).length };
  });
  return JSON.stringify(
    scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 5),
  );
};

// JSON.stringify of the answer alone, to tell work from serialisation.
const listed = snapshot.toolsOfServer('server-42').map(entry);

const CASES = [
  [
    'list_tools, 100 of 10,000',
    ask('list_tools', {}, 'server:server-42'),
    naive((tool) => tool.server === 'server-42'),
  ],
  ['  of which serialisation', () => JSON.stringify({ tools: listed }), undefined],
  [
    'list_tools with 32 selectors',
    ask(
      'list_tools',
      { limit: 10 },
      Array.from({ length: 32 }, (_, i) => `tool:x_server-${i}_read_file`).join(','),
    ),
    naive((tool) => tool.name.endsWith('_read_file')),
  ],
  [
    'filter_tools query',
    ask('filter_tools', { query: 'delete the secret of a user' }),
    naiveSearch(['delete', 'secret', 'user']),
  ],
  [
    'filter_tools query, scoped',
    ask('filter_tools', { query: 'delete the secret of a user' }, 'preset:read-only'),
    naiveSearch(['delete', 'secret', 'user']),
  ],
  [
    'filter_tools pattern',
    ask('filter_tools', { pattern: 'x_*_delete_s*' }),
    naive((tool) => /^x_[^/]*_delete_s[^/]*$/iu.test(tool.name)),
  ],
  [
    'describe_tool, scoped',
    ask('describe_tool', { name: 'x_server-42_read_file' }, 'server:server-42'),
    undefined,
  ],
  [
    'call_tool, scoped',
    ask('call_tool', { name: 'x_server-42_read_file' }, 'server:server-42'),
    undefined,
  ],
];

const listNatively = (header) => () =>
  surface.list('tools/list', {
    toolsetHeader: header && [header],
    principal: ANONYMOUS,
    sessionId: 's',
  });
CASES.push(
  ['list_tools, all 10,000', ask('list_tools', {}), naive(() => true)],
  ['native tools/list, all 10,000', listNatively(), naive(() => true)],
  [
    'native tools/list, 100 of 10,000',
    listNatively('server:server-42'),
    naive((tool) => tool.server === 'server-42'),
  ],
  [
    'native tools/call, scoped',
    () =>
      surface.call({
        method: 'tools/call',
        params: { name: 'x_server-42_read_file' },
        toolsetHeader: ['server:server-42'],
        context,
      }),
    undefined,
  ],
);

const medianMs = async (run, rounds) => {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
};

const figures = [];
for (const [name, run, baseline] of CASES) {
  await medianMs(run, 30);
  const ms = await medianMs(run, 300);
  const naiveMs = baseline && (await medianMs(baseline, 10), await medianMs(baseline, 60));
  figures.push({ name, ms, ...(baseline && { naiveMs, ratio: naiveMs / ms }) });
}

if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
else {
  console.table(
    figures.map(({ name, ms, naiveMs, ratio }) => ({
      name,
      'median ms': ms.toFixed(4),
      'naive ms': naiveMs?.toFixed(4) ?? '',
      'times faster': ratio?.toFixed(1) ?? '',
    })),
  );
}
