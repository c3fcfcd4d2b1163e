// What the engine adds to the tools that it calls: they answer at once here. Processor time, so that other work on the machine does not
// count, next to a plain loop that calls the same tools and writes the same JSON, in the same process.
// Run after a build of this package and of crd-schemas: `pnpm bench`, `pnpm bench --json`.
import { parseWorkflow } from '@gateway/crd-schemas';
import { createWorkflowEngine } from '../dist/index.js';

const workflowOf = (spec) => {
  const parsed = parseWorkflow({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name: 'bench' },
    spec,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.workflow;
};

const answer = { id: 7, name: 'web', labels: { app: 'web', tier: 'front' }, ready: true };
const text = JSON.stringify(answer);
const outcome = { ok: true, result: { content: [{ type: 'text', text }] } };
let calls = 0;
const callTool = () => {
  calls += 1;
  return Promise.resolve(outcome);
};

let runs = 0;
const records = [];
const engine = createWorkflowEngine({
  callTool,
  now: () => Date.now(),
  newId: () => `run-${(runs += 1)}`,
  warn: () => undefined,
  record: (record) => (records[0] = record),
});
const options = { signal: new AbortController().signal };
const runOf = (workflow, input) => () => engine.run(workflow, input, options);

/** The same calls and the same JSON, without an engine. */
const plainly = (count, argumentsOf) => async () => {
  const results = {};
  const steps = [];
  for (let index = 0; index < count; index += 1) {
    const args = argumentsOf(index);
    const { result } = await callTool({ tool: 'x_tool', arguments: args }, options);
    results[`s${index}`] = JSON.parse(result.content[0].text);
    steps.push({ id: `s${index}`, tool: 'x_tool', status: 'completed', input: args });
  }
  return { content: [{ type: 'text', text: JSON.stringify({ results, steps }) }] };
};

const findSteps = (count, argsOf, more = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    tool: 'x_tool',
    args: argsOf(index),
    ...more,
  }));

const referring = (index) =>
  index === 0
    ? { name: '{{ .input.name }}' }
    : { name: `{{ .results.s${index - 1}.name }}`, labels: `{{ .results.s${index - 1}.labels }}` };
const texting = (index) => ({ text: `{{ .input.name | upper }}-${index}`, n: 5 });

const items = (count) =>
  Array.from({ length: count }, (_, index) => ({ id: index, name: `n${index}` }));
const loop = workflowOf({
  steps: [
    {
      id: 'loop',
      forEach: {
        items: '{{ .input.items }}',
        steps: [
          {
            id: 's',
            tool: 'x_tool',
            args: { id: '{{ .vars.item.id }}', name: '{{ .vars.item.name }}' },
          },
        ],
      },
    },
  ],
});
const group = workflowOf({ steps: [{ id: 'group', parallel: findSteps(100, texting) }] });
const gated = { condition: { template: '{{ and .input.name (ne .input.name "none") }}' } };

const input = { name: 'web' };
const argsOfItem = (index) => ({ id: index, name: `n${index}` });
const CASES = [
  ['1 step', 1, runOf(workflowOf({ steps: findSteps(1, referring) }), input), referring],
  [
    '100 steps that refer to each other',
    100,
    runOf(workflowOf({ steps: findSteps(100, referring) }), input),
    referring,
    { limitMs: 15 },
  ],
  [
    '100 steps with text and functions',
    100,
    runOf(workflowOf({ steps: findSteps(100, texting) }), input),
    texting,
    { limitMs: 15 },
  ],
  [
    '100 steps with conditions',
    100,
    runOf(workflowOf({ steps: findSteps(100, texting, gated) }), input),
    texting,
    { limitMs: 15 },
  ],
  [
    '100 steps, every result shown',
    100,
    runOf(workflowOf({ steps: findSteps(100, texting, { output: true }) }), input),
    texting,
    { limitMs: 15 },
  ],
  ['100 sub-steps of one group', 100, runOf(group, input), texting, { limitMs: 15 }],
  ['250 items', 250, runOf(loop, { items: items(250) }), argsOfItem],
  ['500 items', 500, runOf(loop, { items: items(500) }), argsOfItem],
  ['1,000 items', 1000, runOf(loop, { items: items(1000) }), argsOfItem, { limitMs: 150 }],
];

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const meanOf = async (run, rounds) => {
  for (let warm = 0; warm < rounds; warm += 1) await run();
  const start = cpuMs();
  for (let left = rounds; left > 0; left -= 1) await run();
  return (cpuMs() - start) / rounds;
};

const rows = [];
for (const [name, steps, run, argsOf, { limitMs } = {}] of CASES) {
  const before = calls;
  const result = await run();
  if (result.isError || calls - before !== steps)
    throw new Error(`${name}: ${calls - before} calls`);
  const rounds = Math.max(20, Math.ceil(20_000 / steps));
  const ms = await meanOf(run, rounds);
  const plainMs = await meanOf(plainly(steps, argsOf), rounds);
  const usPerStep = ((ms - plainMs) / steps) * 1000;
  rows.push({ name, ms, limitMs, plainMs, ratio: ms / plainMs, usPerStep, limitUsPerStep: 100 });
}

const [quarter, whole] = ['250 items', '1,000 items'].map((name) =>
  rows.find((row) => row.name === name),
);
const growth = whole.ms / quarter.ms;
// Linear is 4; the records of long runs are shortened, and garbage is collected. Quadratic is 16.
const MAX_GROWTH = 10;

if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ rows, growth })}\n`);
} else {
  const ms = (value) => (value === undefined ? '' : `${value.toFixed(2)} ms`);
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          'processor time': ms(row.ms),
          limit: ms(row.limitMs),
          'plain loop': ms(row.plainMs),
          ratio: row.ratio.toFixed(1),
          'added to each call': `${row.usPerStep.toFixed(1)} µs`,
        },
      ]),
    ),
  );
  console.log(`1,000 items take ${growth.toFixed(1)} times as long as 250`);
}

const missed = rows.filter(
  ({ ms, limitMs, usPerStep, limitUsPerStep, name }) =>
    ms > (limitMs ?? Infinity) || (name !== '1 step' && usPerStep > limitUsPerStep),
);
if (missed.length > 0 || growth > MAX_GROWTH) process.exitCode = 1;
