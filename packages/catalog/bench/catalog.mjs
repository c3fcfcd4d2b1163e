import {
  buildCatalog,
  compileGlob,
  prepareSearch,
  rankTools,
  searchTools,
  selectLists,
  toToolInfo,
} from '../dist/index.js';
import { members, relisted, servers, words } from './sample-catalog.mjs';
import { readOnlyOneByOne, readOnlyOnes, workflowsOver } from './sample-workflows.mjs';

/**
 * Measures the catalog against the plain way to do the same, in one process: processor time of a run, in milliseconds,
 * so that other work on the machine does not count. Garbage collection does.
 */

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const meanOf = (runs, run) => {
  run();
  const start = cpuMs();
  for (let left = runs; left > 0; left -= 1) run();
  return (cpuMs() - start) / runs;
};

const rows = [];

const compare = ({ name, limitMs, runs = 15, run, baseline, baselineName }) => {
  const ms = meanOf(runs, run);
  const baselineMs = meanOf(Math.min(runs, 5), baseline);
  rows.push({ name, ms, limitMs, baselineName, baselineMs, ratio: baselineMs / ms });
};

const inputOf = (all) => ({ servers: all, workflows: [], coreTools: [] });
const withOneRelisted = (all) => all.with(150 % all.length, relisted(all[150 % all.length]));

const empty = buildCatalog(inputOf([]));
const snapshot = buildCatalog(inputOf(servers));
const { tools } = snapshot;

/** Memory in use after a garbage collection, where the process may start one (`--expose-gc`). */
const usedMb = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

const mbBefore = usedMb();
const indexStart = cpuMs();
prepareSearch(snapshot);
const indexMs = cpuMs() - indexStart;
const indexMb = usedMb() - mbBefore;

/** The mean over several changes, one after the other. */
const CHANGES = 9;
let reindexMs = 0;
let changed = snapshot;
for (let left = CHANGES; left > 0; left -= 1) {
  changed = buildCatalog(inputOf(withOneRelisted(servers)), changed);
  const reindexStart = cpuMs();
  prepareSearch(changed);
  reindexMs += (cpuMs() - reindexStart) / CHANGES;
}

const query = `list and delete ${words(6).join(' ')}`;
const queryWords = query.split(' ');
const countsIn = (text) => queryWords.reduce((sum, word) => sum + text.split(word).length - 1, 0);

compare({
  name: `query over ${tools.length} tools`,
  limitMs: 5,
  runs: 101,
  run: () => searchTools(snapshot, tools, { query, limit: 5 }),
  baselineName: 'count the words in every tool',
  baseline: () =>
    tools
      .map((tool) => ({
        tool,
        score: countsIn(`${tool.name} ${tool.summary} ${JSON.stringify(tool.inputSchema)}`),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score),
});

compare({
  name: 'query that most tools match',
  limitMs: 15,
  run: () => rankTools(snapshot, 'server the', tools),
  baselineName: 'sort all tools by name',
  baseline: () => tools.toSorted((a, b) => a.name.localeCompare(b.name)),
});

const pattern = 'x_server-1*_delete_*';
compare({
  name: `pattern over ${tools.length} tools`,
  limitMs: 5,
  run: () => searchTools(snapshot, tools, { pattern, limit: 5 }),
  baselineName: 'compile the pattern for every tool',
  baseline: () => tools.filter(({ name }) => compileGlob(pattern).matches(name)),
});

const scoped = tools.filter((_, index) => index % 100 === 50).slice(0, 100);
const allowed = new Set(scoped.map(({ name }) => name));
compare({
  name: `listing scoped to 100 of ${tools.length}`,
  limitMs: 1,
  runs: 101,
  run: () =>
    selectLists(snapshot, [scoped]).tools.map((tool) =>
      toToolInfo(tool, { description: 'full', schema: false }),
    ),
  baselineName: 'look every tool up in a set of names',
  baseline: () =>
    tools
      .filter(({ name }) => allowed.has(name))
      .map((tool) => toToolInfo(tool, { description: 'full', schema: false })),
});

const nextServers = Array.from({ length: 16 }, () => withOneRelisted(servers));
compare({
  name: 'rebuild with 1 of 300 servers changed',
  run: () => buildCatalog(inputOf(nextServers.pop() ?? servers), snapshot),
  baselineName: 'build anew',
  baseline: () => buildCatalog(inputOf(servers), empty),
});

const family = buildCatalog(inputOf(members));
const nextMembers = Array.from({ length: 16 }, () => withOneRelisted(members));
compare({
  name: 'rebuild with 1 of 100 members changed',
  run: () => buildCatalog(inputOf(nextMembers.pop() ?? members), family),
  baselineName: 'build anew',
  baseline: () => buildCatalog(inputOf(members), empty),
});

const many = readOnlyOnes(servers.slice(0, 148));
const fewer = buildCatalog(inputOf(many));
const withWorkflows = (workflows) => ({ ...inputOf(many), workflows });
const nextWorkflows = Array.from({ length: 16 }, () => workflowsOver(fewer.tools, 300, 10));
const toPlainWord = withWorkflows(workflowsOver(fewer.tools, 300, 0));
const withPlain = buildCatalog(toPlainWord, fewer);
compare({
  name: `300 new workflows of 10 steps, over ${fewer.tools.length} tools`,
  limitMs: 10,
  run: () => buildCatalog(withWorkflows(nextWorkflows.pop()), withPlain),
  baselineName: 'find each tool in the list, workflow by workflow',
  baseline: () => readOnlyOneByOne(workflowsOver(fewer.tools, 300, 10), fewer.tools),
});

const latest = withWorkflows(workflowsOver(fewer.tools, 300, 10));
const withLatest = buildCatalog(latest, fewer);
compare({
  name: 'the same again when nothing changed',
  limitMs: 1,
  runs: 101,
  run: () => buildCatalog(latest, withLatest),
  baselineName: 'derive anew',
  baseline: () => buildCatalog(latest, fewer),
});

if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ indexMs, indexMb, reindexMs, rows })}\n`);
} else {
  const ms = (value) => (value === undefined ? '' : `${value.toFixed(2)} ms`);
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          'processor time': ms(row.ms),
          limit: ms(row.limitMs),
          baseline: `${row.baselineName}: ${ms(row.baselineMs)}`,
          'times faster': row.ratio.toFixed(1),
        },
      ]),
    ),
  );
  console.log(
    `search index: ${ms(indexMs)}, ${indexMb.toFixed(1)} MB; after 1 of 300 servers changed: ${ms(reindexMs)}`,
  );
}

/** Limits of the index: memory for all tools, and time for a changed server. */
const MAX_INDEX_MB = 40;
const MAX_REINDEX_MS = 20;

const missed = rows.filter((row) => row.limitMs !== undefined && row.ms > row.limitMs);
if (missed.length > 0 || indexMb > MAX_INDEX_MB || reindexMs > MAX_REINDEX_MS) process.exitCode = 1;
