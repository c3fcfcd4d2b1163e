// Measures the whole gateway against floors of bare node:http, and the stock entries of the SDK.
//
//   node bench/run.mjs [--quick] [--json <file>] [--only <words>] [--gateway <cli.js>] [--rounds 5] [--ms 600]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { CLI } from './gateway-process.mjs';
import { verdicts } from './goals.mjs';
import { measure } from './rounds.mjs';
import { scenarios } from './scenarios.mjs';
import { sessionMemory } from './session-memory.mjs';
import { GOAL_COLUMNS, LOAD_COLUMNS, MEMORY_COLUMNS, textTable } from './table.mjs';
import { Targets } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    gateway: { type: 'string', default: CLI },
    rounds: { type: 'string' },
    ms: { type: 'string' },
  },
});
const { quick, only } = options;
const times = {
  rounds: Number(options.rounds ?? (quick ? 3 : 5)),
  ms: Number(options.ms ?? (quick ? 250 : 500)),
  warmMs: quick ? 200 : 400,
};

/** A row whose texts hold every word of `--only`. */
const isWanted = ({ name, target, framing, toolset, quick: isQuick }) => {
  const texts = `${name} ${target} ${framing} ${toolset ? 'toolset' : ''}`;
  return only === '' ? !quick || isQuick : only.split(' ').every((word) => texts.includes(word));
};

const tell = (text) => process.stderr.write(`${text}\n`);

const targets = new Targets(options.gateway);
try {
  const wanted = scenarios.filter(isWanted);
  if (wanted.length === 0) throw new Error(`No scenario has all words of --only ${only}`);
  tell(`${wanted.length} scenarios, ${times.rounds} rounds of 2 x ${times.ms} ms`);
  const load = await measure(targets, wanted, times, tell);
  const memory = [];
  const isWhole = only === '';
  for (const target of isWhole ? ['gateway, idle', 'sdk-session'] : []) {
    memory.push(await sessionMemory(targets, target));
  }
  report({ load, memory });
} finally {
  await targets.close();
}

function report(figures) {
  const goals = verdicts(figures);
  const tables = [
    [LOAD_COLUMNS, figures.load],
    [MEMORY_COLUMNS, figures.memory],
    [GOAL_COLUMNS, goals],
  ];
  const shown = tables.filter(([, rows]) => rows.length > 0);
  process.stdout.write(`\n${shown.map((table) => textTable(...table)).join('\n\n')}\n`);
  if (options.json === undefined) return;
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model };
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine, times, ...figures, goals }, null, 2)}\n`,
  );
}
