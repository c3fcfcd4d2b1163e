import { EventRecorder } from '../dist/index.js';

/** How long one event takes whoever emits it, in nanoseconds of processor time, beside what a line of JSON costs. */

const EVENTS = 200_000;

const cpuNs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

const perEvent = (run) => {
  run(EVENTS / 10);
  const start = cpuNs();
  run(EVENTS);
  return (cpuNs() - start) / EVENTS;
};

const recorder = new EventRecorder({ now: Date.now, warn: () => undefined });
let executions = 0;

const equal = (count) => {
  for (let n = 0; n < count; n += 1) recorder.emit({ reason: 'MCPServerStarted', name: 'github' });
};
const different = (count) => {
  for (let n = 0; n < count; n += 1) {
    executions += 1;
    const execution = String(executions);
    recorder.emit({ reason: 'WorkflowExecutionStarted', name: 'deploy', execution });
  }
};
let characters = 0;
const baseline = (count) => {
  for (let n = 0; n < count; n += 1) {
    characters += JSON.stringify({
      id: n,
      reason: 'MCPServerStarted',
      name: 'github',
      at: n,
    }).length;
  }
};

const json = perEvent(baseline);
const rows = [
  ['JSON.stringify of four members', json],
  ['emit, counted up', perEvent(equal)],
  ['emit, new event, ring full', perEvent(different)],
];
const start = cpuNs();
const asked = 100;
for (let n = 0; n < asked; n += 1) await recorder.query({ kind: 'Workflow', limit: 50 });
rows.push(['query of 5,001 for 50', (cpuNs() - start) / asked]);

if (process.argv.includes('--json')) {
  const figures = rows.map(([what, ns]) => [what, { ns: Math.round(ns), ratio: ns / json }]);
  console.log(JSON.stringify(Object.fromEntries(figures)));
} else {
  for (const [what, ns] of rows) {
    const ratio = (ns / json).toFixed(1);
    console.log(`${what.padEnd(32)} ${ns.toFixed(0).padStart(9)} ns  x${ratio}`);
  }
}
if (characters === 0) throw new Error('nothing was measured');
