import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openReleaseDirectory } from '../dist/index.js';

/**
 * Measures the directory of releases with 5,000 agents in it, against reading and writing files without any of what the store
 * promises, in one process. Times are those that a caller waits, in milliseconds; processor time counts all threads.
 */

const AGENTS = 5_000;
const MAX_LIST_MS = 50;

const releaseOf = (name, values = {}) => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: {
    name,
    namespace: 'default',
    labels: { 'app.kubernetes.io/managed-by': 'agent-manager' },
  },
  spec: {
    interval: '10m',
    chartRef: { kind: 'OCIRepository', name: 'agent', namespace: 'default' },
    values: {
      agent: {
        name,
        displayName: `The agent ${name}`,
        description: 'Looks after what is on call.',
        systemMessage: 'You are a helpful agent.\nBe brief.\nAsk before you change anything.\n',
      },
      modelConfig: { name: 'default-model-config' },
      toolset: ['preset:read-only', 'workflow:incident-triage'],
      ...values,
    },
  },
});

const manifestOf = (name) => `# Edited by hand
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ${name}
  namespace: default
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 10m
  chartRef:
    kind: OCIRepository
    name: agent
    namespace: default
  values:
    agent:
      name: ${name}
      displayName: The agent ${name}
      description: Looks after what is on call.
      systemMessage: |
        You are a helpful agent.
        Be brief.
        Ask before you change anything.
    modelConfig:
      name: default-model-config
    toolset: # the least it needs
      - preset:read-only
      - workflow:incident-triage
`;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const measured = async (runs, run) => {
  const times = [];
  const cpu = cpuMs();
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now();
    await run(index);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(runs - 1, Math.floor(runs * part))];
  return { median: at(0.5), p99: at(0.99), cpu: (cpuMs() - cpu) / runs };
};

const valueOf = (answer) => {
  if (!answer.ok) throw new Error(answer.problem ?? answer.error.message);
  return answer.value ?? answer.store;
};

const directory = await mkdtemp(path.join(os.tmpdir(), 'releases-bench-'));
const folder = path.join(directory, 'releases', 'default');
const plain = path.join(directory, 'plain');
const rows = [];
const compare = async ({
  name,
  runs,
  limitMs,
  run,
  baselineName,
  baseline,
  baselineRuns = runs,
}) => {
  await run(-1);
  const ours = await measured(runs, run);
  await baseline(-1);
  rows.push({
    name,
    limitMs,
    ...ours,
    baselineName,
    baseline: await measured(baselineRuns, baseline),
  });
};

try {
  await mkdir(folder, { recursive: true });
  await mkdir(plain);
  for (let n = 0; n < AGENTS; n += 1) {
    await writeFile(path.join(folder, `agent-${n}.yaml`), manifestOf(`agent-${n}`));
  }
  const namesOfAll = (await readdir(folder)).map((name) => path.join(folder, name));
  const readAll = async () => {
    await readdir(folder);
    await Promise.all(namesOfAll.map((file) => readFile(file, 'utf8')));
  };
  const openedAt = performance.now();
  const store = valueOf(
    await openReleaseDirectory({ directory, namespaces: ['default'], onWarning: console.error }),
  );
  const openMs = performance.now() - openedAt;
  const agent = (n) => ({ namespace: 'default', name: `agent-${(n + 1) % AGENTS}` });
  const fileOf = (n) => path.join(folder, `${agent(n).name}.yaml`);
  const list = async () => {
    if (valueOf(await store.listReleases('default')).length < AGENTS) throw new Error('too few');
  };
  const files = { baselineName: 'readdir and readFile of all', baseline: readAll, baselineRuns: 5 };
  await compare({ name: 'list', runs: 200, limitMs: MAX_LIST_MS, run: list, ...files });
  await compare({
    name: 'list after an edit from outside',
    runs: 100,
    limitMs: MAX_LIST_MS,
    run: async (n) => {
      await writeFile(fileOf(n), manifestOf(agent(n).name).replace('Be brief', `Be ${n}`));
      await list();
    },
    ...files,
  });
  await compare({
    name: 'get',
    runs: 2_000,
    run: async (n) => valueOf(await store.getRelease(agent(n))),
    baselineName: 'readFile',
    baseline: (n) => readFile(fileOf(n), 'utf8'),
  });
  await compare({
    name: 'create',
    runs: 300,
    run: async (n) => valueOf(await store.createRelease(releaseOf(`new-${n + 1}`))),
    baselineName: 'writeFile, not synced',
    baseline: (n) => writeFile(path.join(plain, `new-${n}.yaml`), manifestOf('new')),
  });
  await compare({
    name: 'get and replace',
    runs: 300,
    run: async (n) => {
      const { object, revision } = valueOf(await store.getRelease(agent(n)));
      const next = releaseOf(object.metadata.name, { count: n });
      valueOf(await store.replaceRelease(next, revision));
    },
    baselineName: 'readFile and writeFile, not synced',
    baseline: async (n) => {
      await writeFile(path.join(plain, 'a.yaml'), await readFile(fileOf(n), 'utf8'));
    },
  });
  const pairs = Array.from({ length: 16 }, (_, n) => n);
  const replaceAt = async (n) => {
    const { object, revision } = valueOf(await store.getRelease(agent(n)));
    valueOf(await store.replaceRelease(releaseOf(object.metadata.name, { at: n }), revision));
  };
  await compare({
    name: '16 of these at once',
    runs: 40,
    run: (n) => Promise.all(pairs.map((pair) => replaceAt(16 * (n + 1) + pair))),
    baselineName: 'the same without the store',
    baseline: (n) =>
      Promise.all(
        pairs.map(async (pair) => {
          const text = await readFile(fileOf(n + pair), 'utf8');
          await writeFile(path.join(plain, `${pair}.yaml`), text);
        }),
      ),
  });
  await store.close();
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ agents: AGENTS, openMs, rows })}\n`);
  } else {
    const ms = (value) => (value === undefined ? '' : value.toFixed(2));
    console.table(
      Object.fromEntries(
        rows.map((row) => [
          row.name,
          {
            'median ms': ms(row.median),
            'p99 ms': ms(row.p99),
            'cpu ms': ms(row.cpu),
            limit: ms(row.limitMs),
            baseline: row.baselineName,
            'its median': ms(row.baseline.median),
            'times faster': (row.baseline.median / row.median).toFixed(2),
          },
        ]),
      ),
    );
    console.log(`opening a directory of ${AGENTS} agents: ${openMs.toFixed(0)} ms`);
  }
  if (rows.some((row) => row.limitMs !== undefined && row.p99 > row.limitMs)) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
