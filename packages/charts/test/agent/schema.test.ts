import { createAgentChart } from '@gateway/agent-releases';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalOf, refusedAmong } from './agent-chart.ts';

const { problems } = createAgentChart({
  ociUrl: 'oci://registry.gateway.internal/charts/agent',
  semver: 'x.x.x',
});

/** Values that must be set, by their parent; null takes their defaults away. */
const REQUIRED: Readonly<Record<string, string>> = {
  '(root)':
    'annotations extraAgentSpec extraTools labelDomain labels nodeSelector replicas resources tolerations',
  agent: 'description displayName iconUrl name runtime systemMessage',
  modelConfig: 'name',
  'muster.serverRef': 'apiGroup kind name namespace',
  muster: 'allowedHeaders enabled stsWellKnownUri toolNames',
  'skills.gitAuthSecretRef': 'name',
  skills: 'gitRefs refs',
};
const required = Object.entries(REQUIRED).flatMap(([parent, keys]) =>
  keys.split(' ').map((key) => ({ parent, key })),
);
const NULLS = required.reduce<Record<string, unknown>>((values, { parent, key }) => {
  let at = values;
  for (const step of parent === '(root)' ? [] : parent.split('.'))
    at = (at[step] ??= {}) as Record<string, unknown>;
  at[key] = null;
  return values;
}, {});

/** Values that the schema refuses at many places at once, next to each other so that one run of Helm names all. */
const REFUSED: readonly (readonly [title: string, values: object, lines: readonly string[]])[] = [
  [
    'unknown keys at every level',
    {
      toolsets: [],
      agent: { nam: 'x' },
      modelConfig: { namespace: 'x' },
      skills: { ref: [], gitAuthSecretRef: { key: 'x' } },
      muster: { enable: true, serverRef: { port: 1 } },
      replica: 1,
    },
    [
      '(root): Additional property replica is not allowed',
      '(root): Additional property toolsets is not allowed',
      'agent: Additional property nam is not allowed',
      'modelConfig: Additional property namespace is not allowed',
      'muster.serverRef: Additional property port is not allowed',
      'muster: Additional property enable is not allowed',
      'skills.gitAuthSecretRef: Additional property key is not allowed',
      'skills: Additional property ref is not allowed',
    ],
  ],
  [
    'null for each value that has a default',
    NULLS,
    required.map(({ parent, key }) => `${parent}: ${key} is required`),
  ],
  [
    'every wrong type and every value out of its bounds',
    {
      agent: {
        name: 'Not-A-Name',
        displayName: 'x'.repeat(64),
        description: 1,
        iconUrl: [],
        systemMessage: '',
        runtime: 'java',
      },
      modelConfig: { name: '' },
      skills: { refs: [1], gitRefs: {}, gitAuthSecretRef: 'x' },
      muster: {
        enabled: 'yes',
        allowedHeaders: 'authorization',
        toolNames: [{}],
        stsWellKnownUri: 1,
        serverRef: { kind: 1, apiGroup: 1, name: 1, namespace: 1 },
      },
      extraTools: {},
      replicas: -1,
      resources: [],
      nodeSelector: { a: true },
      tolerations: 'x',
      labels: { a: 1 },
      annotations: { a: null, b: {} },
      labelDomain: 'Not a domain',
      extraAgentSpec: [],
      global: 'x',
      toolset: {},
    },
    [
      'agent.description: Invalid type. Expected: string, given: integer',
      'agent.displayName: String length must be less than or equal to 63',
      'agent.iconUrl: Invalid type. Expected: string, given: array',
      "agent.name: Does not match pattern '^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
      'agent.runtime: agent.runtime must be one of the following: "go", "python"',
      'agent.systemMessage: String length must be greater than or equal to 1',
      'annotations.a: Invalid type. Expected: string, given: null',
      'annotations.b: Invalid type. Expected: string, given: object',
      'extraAgentSpec: Invalid type. Expected: object, given: array',
      'extraTools: Invalid type. Expected: array, given: object',
      'global: Invalid type. Expected: [object,null], given: string',
      "labelDomain: Does not match pattern '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$'",
      'labels.a: Invalid type. Expected: string, given: integer',
      'modelConfig.name: String length must be greater than or equal to 1',
      'muster.allowedHeaders: Invalid type. Expected: array, given: string',
      'muster.enabled: Invalid type. Expected: boolean, given: string',
      'muster.serverRef.apiGroup: Invalid type. Expected: string, given: integer',
      'muster.serverRef.kind: Invalid type. Expected: string, given: integer',
      'muster.serverRef.name: Invalid type. Expected: string, given: integer',
      'muster.serverRef.namespace: Invalid type. Expected: string, given: integer',
      'muster.stsWellKnownUri: Invalid type. Expected: string, given: integer',
      'muster.toolNames.0: Invalid type. Expected: string, given: object',
      'nodeSelector.a: Invalid type. Expected: string, given: boolean',
      'replicas: Must be greater than or equal to 0',
      'resources: Invalid type. Expected: object, given: array',
      'skills.gitAuthSecretRef: Invalid type. Expected: object, given: string',
      'skills.gitRefs: Invalid type. Expected: array, given: object',
      'skills.refs.0: Invalid type. Expected: string, given: integer',
      'tolerations: Invalid type. Expected: array, given: string',
      'toolset: Invalid type. Expected: [array,null], given: object',
    ],
  ],
  [
    'a fraction and a long name',
    { replicas: 1.5, agent: { name: 'a'.repeat(64) }, toolset: [1, 'preset:none'] },
    [
      'agent.name: String length must be less than or equal to 63',
      'replicas: Invalid type. Expected: integer, given: number',
      'toolset.0: Invalid type. Expected: string, given: integer',
    ],
  ],
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

const distinct = (places: readonly string[]): readonly string[] => [...new Set(places)].toSorted();

it.each(REFUSED)(
  'The schema refuses %s, and agent-manager refuses at the same places.',
  async (_title, values, expected) => {
    const lines = await refusalOf(values);
    expect(lines).toEqual(expected.map((line) => `- ${line}`));
    expect(distinct(problems({ ...values }).map(placeHere))).toEqual(
      distinct(expected.map((line) => placeInHelm(`- ${line}`))),
    );
  },
);

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

it('any values get the same verdict from Helm and from agent-manager', async () => {
  const seed = Date.now();
  const sample = fc.sample(values, { numRuns: 150, seed });
  const here = sample.map((one) => problems(one).length > 0);
  const inHelm = await refusedAmong(sample);
  const disputed = sample.filter((_, at) => here[at] !== inHelm[at]);
  expect(disputed, `seed ${seed.toString()}`).toEqual([]);
  for (const verdict of [true, false])
    expect(here.filter((refused) => refused === verdict).length).toBeGreaterThan(10);
});
