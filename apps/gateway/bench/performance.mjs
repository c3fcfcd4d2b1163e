// Measures the gateway against bare node:http, and other proxies with --peers: `npm run bench`, `npm run bench -- --help`.
import { writeFileSync } from 'node:fs';
import { commitFacts, nodeFacts } from './performance/facts.mjs';
import { measureRun } from './performance/measure-run.mjs';
import { stopAll } from './performance/measured-process.mjs';
import { commandOf, earlyAnswer, parseOptions } from './performance/options.mjs';
import { installedPeers } from './performance/peers.mjs';
import { checkoutOfRun, recordProblem, recordRun } from './performance/record.mjs';
import { runTable } from './performance/run-table.mjs';
import { BARE, gatewaySubject } from './performance/subjects.mjs';

const report = (text) => process.stderr.write(`${text}\n`);

/** Reports before the run, and after it, why the page is not written. Only a run of all rows could write it. */
const isRecorded = (checkout, options) => {
  if (options.json !== undefined || !options.isWhole) return false;
  const problem = recordProblem(checkout, options);
  if (problem !== undefined)
    report(`docs/reference/performance.md is not written by this run: ${problem}.`);
  return problem === undefined;
};

const write = (run, checkout, options) => {
  const { json } = options;
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(run, null, 2)}\n`);
  else if (isRecorded(checkout, options)) recordRun(run);
};

const measure = async (options, command) => {
  const nodes = options.nodes
    .map(nodeFacts)
    .sort((a, b) => a.major - b.major)
    .filter(({ major }, index, all) => all.findIndex((node) => node.major === major) === index);
  const start = commitFacts();
  isRecorded(start, options);
  const peers = options.peers ? await installedPeers(report) : [];
  const subjects = [gatewaySubject(options.gateway), BARE, ...peers];
  const { groups, times } = options;
  const measured = await measureRun({ groups, times, nodes, subjects, report }, command);
  const checkout = checkoutOfRun(start, commitFacts());
  const { commit, changed } = checkout;
  const run = { ...measured, commit, isChanged: changed.length > 0 };
  process.stdout.write(`${runTable(run)}\n${run.seconds} s\n`);
  write(run, checkout, options);
};

const main = async (args) => {
  const answer = earlyAnswer(args);
  if (answer === undefined) {
    await measure(parseOptions(args), commandOf(args));
    return 0;
  }
  (answer.code === 0 ? process.stdout : process.stderr).write(answer.text);
  return answer.code;
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    await stopAll();
    process.exit(1);
  });
}
process.exitCode = await main(process.argv.slice(2));
