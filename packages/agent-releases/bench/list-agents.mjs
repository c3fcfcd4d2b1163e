/** Measures listing and printing 5,000 agents: the first time, unchanged, and with one changed. `--json` prints JSON. */
import { createAgentChart, renderAgentList, createAgentService } from '../dist/index.js';

const COUNT = 5_000;
const ROUNDS = 15;

const release = (index, description = 'Does things for people who need them.') => ({
  object: {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: `agent-${String(index).padStart(4, '0')}`, namespace: 'default' },
    spec: {
      interval: '10m',
      chartRef: { kind: 'OCIRepository', name: 'agent', namespace: 'default' },
      values: {
        agent: { name: `agent-${index}`, description, systemMessage: 'Be brief. '.repeat(20) },
        modelConfig: { name: 'small' },
        toolset: ['preset:read-only', 'workflow:incident-triage'],
        labels: { team: 'a' },
      },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  },
  revision: '1',
});

const releases = Array.from({ length: COUNT }, (_, index) => release(index));
const ok = (value) => Promise.resolve({ ok: true, value });
const store = { listAgents: () => ok([]), listReleases: () => ok([...releases]) };
const service = createAgentService({
  store,
  chart: createAgentChart({
    ociUrl: 'oci://registry.gateway.internal/charts/agent',
    semver: 'x.x.x',
  }),
  namespaces: ['default'],
  version: '0.4.0',
  flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
});

const list = async (print) => {
  const before = performance.now();
  const { value } = await service.list_agents({});
  const text = print(value);
  return { ms: performance.now() - before, text };
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const medianOf = async (prepare, print) => {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    prepare(round);
    times.push((await list(print)).ms);
  }
  return median(times);
};

const first = await list(renderAgentList);
const again = await list(JSON.stringify);
if (Buffer.from(first.text).toString() !== again.text) throw new Error('the texts differ');
const figures = {
  agents: COUNT,
  bytes: first.text.length,
  firstMs: first.ms,
  unchangedMs: await medianOf(() => undefined, renderAgentList),
  oneChangedMs: await medianOf((round) => {
    releases[round] = release(round, `Changed ${round}.`);
  }, renderAgentList),
  baselineMs: await medianOf(() => undefined, JSON.stringify),
};
const ratio = figures.baselineMs / figures.unchangedMs;
if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ ...figures, ratio })}\n`);
} else {
  console.table(figures);
  console.log(`printing everything again takes ${ratio.toFixed(1)} times as long`);
}
