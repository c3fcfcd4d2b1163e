// Where the processor time of a request goes: profiles the gateway under the load of single scenarios.
//
// With --allocations: how many bytes it takes, which is what garbage collection costs. With --floor: the same of the floor.
//
//   node bench/profile.mjs --only "call_tool HTTP" [--ms 3000] [--top 30] [--gateway <cli.js>] [--floor] [--allocations]
import { parseArgs } from 'node:util';
import { CLI } from './gateway-process.mjs';
import { ready, stretch } from './rounds.mjs';
import { scenarios } from './scenarios.mjs';
import { textTable } from './table.mjs';
import { Targets } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'describe_tool' },
    ms: { type: 'string', default: '3000' },
    top: { type: 'string', default: '30' },
    gateway: { type: 'string', default: CLI },
    floor: { type: 'boolean', default: false },
    allocations: { type: 'boolean', default: false },
  },
});

/** The sums of a profile by the file that the time was spent in, most first. */
const byFile = (places) => {
  const sums = new Map();
  for (const { place, amount } of places) {
    const file = / (\S+):\d+$/u.exec(place)?.[1] ?? place;
    sums.set(file, (sums.get(file) ?? 0) + amount);
  }
  return [...sums]
    .map(([place, amount]) => ({ place, amount }))
    .sort((a, b) => b.amount - a.amount);
};

const unit = options.allocations ? 'bytes' : 'us';
const COLUMNS = [
  { title: unit, of: ({ amount }) => amount.toFixed(2) },
  { title: 'where', of: ({ place }) => place, left: true },
];

const profiled = async (targets, scenario) => {
  const { own, floor } = await ready(targets, scenario, 1_000);
  const [name, task] = options.floor ? [scenario.floor, floor] : [scenario.target, own];
  const { ask } = await targets.get(name);
  const kind = options.allocations ? 'Allocations' : 'Profile';
  await ask(`start${kind}`);
  const { cpuUs, answered } = await stretch(targets, name, { ...task, ms: Number(options.ms) });
  const parts = await ask(`stop${kind}`);
  // A profile counts the time for which another process had the core; shares of it are still right.
  const total = parts.reduce((sum, [, part]) => sum + part, 0);
  const whole = options.allocations ? total / answered : cpuUs;
  const places = parts.map(([place, part]) => ({ place, amount: (part / total) * whole }));
  return { name, cpuUs, places };
};

const targets = new Targets(options.gateway);
try {
  const words = options.only.split(' ');
  for (const scenario of scenarios) {
    const { framing, toolset, target } = scenario;
    const title = `${scenario.name}, ${target}, ${framing}${toolset ? ', toolset' : ''}, ${scenario.connections} connections`;
    if (!words.every((word) => title.includes(word))) continue;
    const { name, cpuUs, places } = await profiled(targets, scenario);
    const top = places.slice(0, Number(options.top));
    process.stdout.write(
      `\n## ${title}: ${name}, ${cpuUs.toFixed(1)} us of CPU with the profiler\n\n${textTable(COLUMNS, top)}\n\n${textTable(COLUMNS, byFile(places).slice(0, 15))}\n`,
    );
  }
} finally {
  await targets.close();
}
