import { createAgentChart } from '@gateway/agent-releases';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf, refusedAmong } from './agent-chart.ts';
import { WRONG_VALUES } from './wrong-values.ts';

const { problems } = createAgentChart({
  ociUrl: 'oci://registry.gateway.internal/charts/agent',
  semver: 'x.x.x',
});

/** Values that the schema refuses at many places at once, next to each other so that one run of Helm names all. */
const WRONG: readonly object[] = [
  {
    toolsets: [],
    agent: { nam: 'x' },
    modelConfig: { namespace: 'x' },
    skills: { ref: [], gitAuthSecretRef: { key: 'x' } },
    muster: { enable: true, serverRef: { port: 1 } },
    replica: 1,
  },
  WRONG_VALUES,
  { replicas: 1.5, agent: { name: 'a'.repeat(64) }, toolset: [1, 'preset:none'] },
  { agent: { name: null, runtime: null }, skills: { refs: null }, labels: null },
];

/** Where Helm says that something is wrong, in the words of agent-manager: `agent.name: …` is `/agent/name`. */
const placeInHelm = (line: string): string => {
  const [, where = '', what = ''] = /^- ([^:]*): (.*)$/u.exec(line) ?? [];
  const path = where === '(root)' ? '' : `/${where.replaceAll('.', '/')}`;
  const [, unknown] = /^Additional property (.*) is not allowed$/u.exec(what) ?? [];
  return unknown === undefined ? path : `${path}/${unknown}`;
};

const placeHere = (problem: string): string =>
  (/^(.*?): /u.exec(problem)?.[1] ?? '').replace('(root)', '');

const distinct = (places: readonly string[]): readonly string[] =>
  [...new Set(places)].toSorted((a, b) => (a < b ? -1 : 1));

describe('refusals of the schema', () => {
  it.each(WRONG.map((values, at) => ({ at, values })))(
    'agent-manager refuses at the same places ($at)',
    async ({ values }) => {
      const lines = await refusalOf(values);
      if (typeof lines === 'string') throw new Error(lines);
      expect(distinct(problems({ ...values }).map(placeHere))).toEqual(
        distinct(lines.map(placeInHelm)),
      );
    },
  );
});

const anything = fc.oneof(
  fc.constantFrom('', 'x', 'go', 'python', 'a-b', 'a.b', 'A', 'preset:none', 'x'.repeat(64)),
  fc.constantFrom(0, 1, -1, 1.5, true, false, null),
  fc.constantFrom([], ['x'], [1], [{}], {}, { name: 'x' }, { a: 'b' }, { a: 1 }),
);

/** A value that is valid in a third of the cases. */
const validOrAny = (fine: unknown) => fc.oneof(fc.constant(fine), anything, anything);

const inside = (group: string, key: string, fine: unknown) =>
  validOrAny(fine).map((value) => [group, { [key]: value }] as const);

const outside = (key: string, fine: unknown) =>
  validOrAny(fine).map((value) => [key, value] as const);

/** One or two values. */
const values = fc
  .uniqueArray(
    fc.oneof(
      inside('agent', 'name', 'a-b'),
      inside('agent', 'displayName', '🦊'),
      inside('agent', 'systemMessage', 'Be brief.\n'),
      inside('agent', 'description', 'a: b'),
      inside('agent', 'runtime', 'python'),
      inside('modelConfig', 'name', 'small'),
      inside('modelConfig', 'key', 'x'),
      inside('skills', 'refs', ['registry.example.com/skills:1']),
      inside('skills', 'gitRefs', [{ url: 'https://git.example.com/skills' }]),
      inside('skills', 'gitAuthSecretRef', { name: 'git' }),
      inside('muster', 'enabled', false),
      inside('muster', 'serverRef', { kind: 'MCPServer' }),
      inside('labels', '__proto__', 'x'),
      inside('nodeSelector', 'a b', 'x'),
      outside('toolset', ['preset:none']),
      outside('extraTools', [{ type: 'Agent' }]),
      outside('labelDomain', 'example.com'),
      outside('replicas', 0),
      outside('resources', {}),
      outside('extraAgentSpec', { type: 'BYO' }),
      outside('global', { labelDomain: 'example.com', more: 1 }),
      outside('toolsets', []),
    ),
    { minLength: 1, maxLength: 2, selector: ([key]) => key },
  )
  .map((edits) => Object.fromEntries(edits));

describe('any values', () => {
  it('get the same verdict from Helm and from agent-manager', async () => {
    const seed = Date.now();
    const sample = fc.sample(values, { numRuns: 150, seed });
    const here = sample.map((one) => problems(one).length > 0);
    const inHelm = await refusedAmong(sample);
    const disputed = sample.filter((_, at) => here[at] !== inHelm[at]);
    expect(disputed, `seed ${seed.toString()}`).toEqual([]);
    for (const verdict of [true, false])
      expect(here.filter((refused) => refused === verdict).length).toBeGreaterThan(10);
  });
});
