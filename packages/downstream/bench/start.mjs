import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createDownstream } from '../dist/index.js';

/**
 * How long stdio servers take to start, one against twenty of the same. `waiting` servers need a second of doing nothing, so the
 * ratio shows whether starts overlap; `everything` servers need the processor, so the ratio is bounded by the number of cores.
 * `node bench/start.mjs [--json]`, after a build.
 */
const SERVERS = 20;
const fixture = fileURLToPath(new URL('../test/fixtures/raw-stdio.mjs', import.meta.url));
const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
);
const everything = join(dirname(manifest), 'dist/index.js');

const define = (name, args) => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'MCPServer',
  metadata: { name, namespace: 'default', labels: {} },
  spec: { type: 'stdio', command: process.execPath, args, env: {}, autoStart: true, timeout: 30 },
});

const startMs = async (count, args) => {
  const downstream = createDownstream({
    clientInfo: { name: 'bench', version: '1.0.0' },
    log: () => undefined,
    timeouts: { stdioStartMs: 60_000, settleMs: 60_000 },
  });
  const began = performance.now();
  downstream.apply(Array.from({ length: count }, (_, index) => define(`s${index}`, args)));
  await downstream.settled();
  const took = performance.now() - began;
  const running = downstream.servers().filter(({ state }) => state === 'Running').length;
  await downstream.close();
  if (running !== count) throw new Error(`only ${running} of ${count} servers started`);
  return took;
};

const callsPerSecond = async (args) => {
  const downstream = createDownstream({
    clientInfo: { name: 'bench', version: '1.0.0' },
    log: () => undefined,
  });
  downstream.apply([define('s', args)]);
  await downstream.settled();
  const call = { server: 's', tool: 'result', arguments: { result: { content: [] } } };
  const until = performance.now() + 2_000;
  let calls = 0;
  const worker = async () => {
    while (performance.now() < until) {
      await downstream.callTool(call);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  await downstream.close();
  return calls / 2;
};

const rows = [];
for (const [kind, args] of [
  ['waiting', [fixture, '--delay=1000']],
  ['everything', [everything, 'stdio']],
]) {
  const one = await startMs(1, args);
  const many = await startMs(SERVERS, args);
  rows.push({
    servers: kind,
    'one (ms)': Math.round(one),
    [`${SERVERS} (ms)`]: Math.round(many),
    ratio: Number((many / one).toFixed(2)),
    'sum would be (ms)': Math.round(one * SERVERS),
  });
}
const report = {
  start: rows,
  stdioCallsPerSecond: Math.round(await callsPerSecond([fixture])),
  residentMb: Math.round(process.memoryUsage.rss() / 1e6),
};
if (process.argv.includes('--json')) console.log(JSON.stringify(report));
else {
  console.table(report.start);
  console.log(`stdio calls per second at 16 in flight: ${report.stdioCallsPerSecond}`);
  console.log(`resident memory of this process: ${report.residentMb} MB`);
}
