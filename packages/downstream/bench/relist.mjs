import { fileURLToPath } from 'node:url';
import { createDownstream } from '../dist/index.js';

/**
 * What reading 10,000 tools costs this process, in milliseconds of its processor: for the first time, and again with one of them, or all
 * of them, described anew. `node bench/relist.mjs [--json]`, after a build.
 */
const TOOLS = 10_000;
const ROUNDS = 5;
const script = fileURLToPath(new URL('./many-tools.mjs', import.meta.url));
const server = {
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'MCPServer',
  metadata: { name: 'many', namespace: 'default', labels: {} },
  spec: {
    type: 'stdio',
    command: process.execPath,
    args: [script, String(TOOLS)],
    env: {},
    autoStart: true,
    timeout: 30,
  },
};

const cpuMs = ({ user, system }) => (user + system) / 1_000;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const store = { text: undefined, writes: 0 };
const downstream = createDownstream({
  clientInfo: { name: 'bench', version: '1.0.0' },
  log: () => undefined,
  relist: { debounceMs: 1, minIntervalMs: 1 },
  timeouts: { stdioStartMs: 60_000, settleMs: 60_000 },
  declaredTools: {
    read: () => Promise.resolve(undefined),
    write: (text) => {
      store.text = text;
      store.writes += 1;
      return Promise.resolve();
    },
  },
});

const relist = async (changed) => {
  const before = downstream.inventories();
  const began = process.cpuUsage();
  const listed = new Promise((resolve) => {
    const stop = downstream.onChange(() => {
      if (downstream.inventories() === before) return;
      stop();
      resolve();
    });
  });
  await downstream.callTool({ server: 'many', tool: 'change', arguments: { changed } });
  await listed;
  return cpuMs(process.cpuUsage(began));
};

const rounds = async (changed) => {
  const took = [];
  for (let round = 0; round < ROUNDS; round += 1) took.push(await relist(changed));
  return median(took);
};

const began = process.cpuUsage();
downstream.apply([server]);
await downstream.settled();
const figures = { tools: TOOLS, first: cpuMs(process.cpuUsage(began)) };
figures.oneChanged = await rounds(0);
figures.allChanged = await rounds(TOOLS);
await downstream.close();
figures.storeCharacters = store.text?.length ?? 0;

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`);
else console.table(figures);
