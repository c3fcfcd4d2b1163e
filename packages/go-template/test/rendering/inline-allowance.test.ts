import { threadCpuUsage } from 'node:process';
import { describe, expect, it } from 'vitest';
import {
  createAllowanceWithin,
  createFullAllowance,
  createInlineAllowance,
  isSpent,
  parseValue,
  renderValue,
  countStepsTaken,
  type JsonValue,
  type RenderAllowance,
} from '../../src/index.ts';

const SIZE = 2_000_000;
const options = { maxBytes: 16 * 1024 * 1024, now: () => 0 };

const listOf = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_unused, index) => item(index));

const input: JsonValue = {
  text: 'a'.repeat(SIZE),
  words: 'ab cd '.repeat(SIZE / 6),
  wide: 'é😀b'.repeat(SIZE / 4),
  lines: '\n'.repeat(SIZE),
  part: `${'a'.repeat(2500)}b${'a'.repeat(2500)}`,
  json: `[${'{},'.repeat(SIZE / 3)}1]`,
  path: 'a/../'.repeat(SIZE / 5),
  numbers: listOf(SIZE / 8, (index) => index),
  maps: listOf(SIZE / 8, (index) => ({ a: index })),
  empty: listOf(SIZE / 8, () => []),
  alike: listOf(400, (index) => `${'a'.repeat(SIZE / 400)}${String(index)}`),
  map: Object.fromEntries(listOf(20_000, (index) => [`k${String(index)}`, index])),
};

interface Attempt {
  readonly ok: boolean;
  readonly allowance: RenderAllowance;
  readonly cpuMs: number;
}

const attempt = (template: string): Attempt => {
  const parsed = parseValue(template);
  if (!parsed.ok) throw new Error(parsed.error);
  const allowance = createInlineAllowance(options);
  const before = threadCpuUsage();
  const { ok } = renderValue(parsed.value, { input }, { ...options, allowance });
  const { user, system } = threadCpuUsage(before);
  return { ok, allowance, cpuMs: (user + system) / 1000 };
};

/** The processor time of the fastest of some attempts: garbage collection is not part of a rendering. */
const cpuMsOf = (template: string): number => {
  let least = Infinity;
  for (let round = 0; round < 30 && least >= 25; round += 1)
    least = Math.min(least, attempt(template).cpuMs);
  return least;
};

const CALLS = [
  'contains .input.part .input.text',
  'trimAll "a" .input.wide',
  'nospace .input.lines',
  'trunc 5 .input.wide',
  'substr 1 5 .input.wide',
  'abbrev 9 .input.wide',
  'title .input.words',
  'swapcase .input.wide',
  'snakecase .input.text',
  'camelcase .input.words',
  'initials .input.words',
  'upper .input.wide',
  'repeat 16000000 "a" | upper | quote | quote | quote',
  'quote .input.wide',
  'replace "a" "b" .input.text',
  'replace "" "b" .input.text',
  'replace .input.part "b" .input.text',
  'indent 1 .input.lines',
  'wrap 1 .input.words',
  'wrapWith 1 "" .input.text',
  'splitList "" .input.text',
  'splitList "a" .input.text',
  'split "a" .input.text',
  'sortAlpha .input.alike',
  'join "" .input.maps',
  'cat .input.maps',
  'print .input.maps',
  'printf "%v" .input.maps',
  'printf "%9999999d" 1',
  'printf "%-9999999q" .input.wide',
  'html .input.wide',
  'js .input.lines',
  'urlquery .input.wide',
  'lt .input.text .input.text',
  'len .input.wide',
  'index .input.wide 5',
  'slice .input.wide 1 2',
  'toJson .input.empty',
  'toPrettyJson .input.maps',
  'fromJson .input.json',
  'until 16000000',
  'seq 16000000',
  'compact .input.empty',
  'uniq .input.empty',
  'without .input.maps 1',
  'has 1 .input.maps',
  'chunk 1 .input.numbers',
  'reverse .input.numbers',
  'concat .input.numbers .input.numbers',
  'merge .input.map .input.map',
  'set .input.map "a" 1',
  'pick .input.map "k1"',
  'keys .input.map',
  'values .input.map',
  'deepEqual .input.maps .input.maps',
  'dict .input.maps 1',
  'regexFindAll "a" .input.text -1',
  'regexSplit "a" .input.text -1',
  'regexReplaceAll "(a)" .input.text "${1}${1}"',
  'regexMatch "(a|b)*c" .input.text',
  'sha256sum .input.text',
  'sha512sum .input.wide',
  'adler32sum .input.text',
  'b64enc .input.wide',
  'b32dec .input.text',
  'clean .input.path',
  'urlParse .input.path',
  'urlJoin (dict "path" .input.wide)',
];

const TEMPLATES = [
  '{{ .input.maps }}',
  'x{{ .input.maps }}',
  '{{ range .input.numbers }}{{ . }}{{ end }}',
  '{{ range $k, $v := .input.map }}{{ $k }}{{ end }}',
  '{{ range 16000000 }}x{{ end }}',
  '{{ range 5000 }}{{ range 5000 }}{{ end }}{{ end }}',
  '{{ range 100000 }}{{ $x := sha512sum "a" }}{{ end }}',
  '{{ range 100000 }}{{ $x := fromJson "x" }}{{ end }}',
  '{{ range 100000 }}{{ $x := regexMatch "[a-z]{100}" "x" }}{{ end }}',
  '{{ range 100 }}{{ $.input.wide }}{{ end }}',
  '{{ $d := dict }}{{ range until 9000 }}{{ $d = set $d (toString .) . }}{{ end }}',
  '{{ define "t" }}{{ template "t" . }}{{ template "t" . }}{{ end }}{{ template "t" .input.text }}',
];

describe('a rendering with the inline allowance', () => {
  it.each(CALLS)(
    'takes less than 25 ms of processor time, even for large arguments: %s',
    (call) => {
      expect(cpuMsOf(`{{ ${call} }}`)).toBeLessThan(25);
      expect(
        cpuMsOf(`{{ range 100000 }}{{ $x := ${call.replaceAll('.input', '$.input')} }}{{ end }}`),
      ).toBeLessThan(25);
    },
  );

  it.each(TEMPLATES)('takes less than 25 ms of processor time: %s', (template) => {
    expect(cpuMsOf(template)).toBeLessThan(25);
  });

  it('is spent exactly when the rendering needs more', () => {
    const small = attempt('{{ upper "a" | quote }}');
    expect([small.ok, isSpent(small.allowance)]).toEqual([true, false]);
    const large = attempt('{{ quote .input.text }}');
    expect([large.ok, isSpent(large.allowance)]).toEqual([false, true]);
    const long = attempt('{{ range 30000 }}{{ end }}');
    expect([long.ok, isSpent(long.allowance)]).toEqual([false, true]);
    const wrong = attempt('{{ .input.missing }}');
    expect([wrong.ok, isSpent(wrong.allowance)]).toEqual([false, false]);
  });

  it('renders what it refused with a full allowance', () => {
    const parsed = parseValue('{{ quote .input.text | len }}');
    if (!parsed.ok) throw new Error(parsed.error);
    const rendered = renderValue(parsed.value, { input }, options);
    expect(rendered).toEqual({ ok: true, value: SIZE + 2 });
  });
});

describe('steps', () => {
  it('include the work of functions: 64 units are a step', () => {
    const given = createFullAllowance(options);
    expect(
      countStepsTaken(given, { ...given, steps: given.steps - 3, units: given.units - 65 }),
    ).toBe(5);
  });

  it('of a rendering can be limited to those that are left', () => {
    expect(createAllowanceWithin(options, 100)).toMatchObject({ steps: 100, units: 6400 });
    expect(createAllowanceWithin(options, Number.MAX_SAFE_INTEGER)).toEqual(
      createFullAllowance(options),
    );
  });
});
