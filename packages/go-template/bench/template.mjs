// What rendering costs once a template is parsed. Processor time, so that other work on the machine does not count, next to a plain
// replacement of `{{ .a.b }}` by a regular expression, in the same process.
// Run after a build of this package: `node bench/template.mjs`, `node bench/template.mjs --json`.
import { parseValue, renderValue } from '../dist/index.js';

const limits = { maxBytes: 16 * 1024 * 1024, now: () => Date.now() };
const items = Array.from({ length: 100 }, (_, id) => ({
  id,
  name: `item-${id}`,
  tags: ['a', 'b'],
}));
const results = { fetch: { items, total: 100, labels: { app: 'web', tier: 'front' } } };
const input = { name: 'web', count: 3, ready: true, note: 'all is well' };
const data = { input, results, vars: { item: items[7], item_index: 7 }, context: results };

const references = Array.from(
  { length: 5 },
  () =>
    'name={{ .input.name }} total={{ .results.fetch.total }} app={{ .results.fetch.labels.app }} item={{ .vars.item.name }}\n',
).join('');

const mixed = [
  '{{ $total := .results.fetch.total }}{{ if and .input.ready (gt $total 10) }}many{{ else }}few{{ end }}',
  '{{ .input.name | upper | printf "%s-%s" "x" }} {{ len .results.fetch.items }} {{ index .results.fetch.labels "tier" }}',
  '{{ with .vars.item }}{{ .id }}/{{ .name }}{{ end }} {{ default "none" .input.note | trunc 6 }}',
  '{{ eq .input.count 1 2 3 }} {{ join "," .vars.item.tags }} {{ printf "%05.2f" 3.14159 }} {{ .vars.item_index }}',
  '{{ or "" .input.name }} {{ not .input.ready }} {{ .results.fetch.items[42].name }} {{ (index .results.fetch.items 3).id }}',
].join('\n');

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The best of five rounds: what it costs, without what the machine does beside. */
const microseconds = (runs, run) => {
  let best = Infinity;
  for (let round = 0; round < 6; round += 1) {
    const start = cpuUs();
    for (let left = runs; left > 0; left -= 1) run();
    if (round > 0) best = Math.min(best, (cpuUs() - start) / runs);
  }
  return best;
};

const plain = (text) => () =>
  text.replace(/\{\{ \.([\w.]+) \}\}/g, (_all, path) =>
    path.split('.').reduce((value, key) => value[key], data),
  );

const rendering = (value) => {
  const parsed = parseValue(value);
  if (!parsed.ok) throw new Error(parsed.error);
  const check = renderValue(parsed.value, data, limits);
  if (!check.ok) throw new Error(check.text);
  return () => renderValue(parsed.value, data, limits);
};

const baseline = microseconds(20_000, plain(references));
const loop = '{{ range .results.fetch.items }}{{ .id }}={{ .name }},{{ end }}';

const rows = [
  { name: '20 references in a text', limitUs: 20, runs: 20_000, run: rendering(references) },
  { name: '20 mixed actions', limitUs: 20, runs: 20_000, run: rendering(mixed) },
  {
    name: 'one bare reference',
    limitUs: 2,
    runs: 100_000,
    run: rendering('{{ .results.fetch.items }}'),
  },
  { name: 'a loop over 100 items', limitUs: 200, runs: 4_000, run: rendering(loop) },
  { name: 'parsing 20 mixed actions', limitUs: 1_000, runs: 2_000, run: () => parseValue(mixed) },
].map(({ name, limitUs, runs, run }) => {
  const us = microseconds(runs, run);
  return { name, us, limitUs, ratio: us / baseline };
});

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ baselineUs: baseline, rows }, undefined, 2));
} else {
  console.table(
    rows.map(({ name, us, limitUs, ratio }) => ({
      what: name,
      µs: us.toFixed(2),
      limit: limitUs,
      'times plain replacement': ratio.toFixed(2),
    })),
  );
  console.log(`plain replacement of 20 references: ${baseline.toFixed(2)} µs`);
}
if (rows.some(({ us, limitUs }) => us > limitUs)) process.exitCode = 1;
