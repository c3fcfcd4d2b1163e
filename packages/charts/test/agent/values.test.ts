import { describe, expect, it } from 'vitest';
import { objectsOfBuild } from '../harness/built-chart.ts';
import { requirement } from '../requirement.ts';
import { agentOf, agentsOf, notesOf, refusalOf } from './agent-chart.ts';

const RELEASE_OF_53 = `${'r'.repeat(52)}x`;

requirement('1.6/agent-chart', () => {
  it('renders one Agent and nothing else, in the namespace of the release', async () => {
    const { agent } = await agentOf({}, { release: RELEASE_OF_53, namespace: 'here' });
    expect(agent).toMatchObject({ apiVersion: 'kagent.dev/v1alpha2', kind: 'Agent' });
    expect(agent.metadata).toEqual({
      name: RELEASE_OF_53,
      namespace: 'here',
      labels: {
        app: 'agent',
        'app.kubernetes.io/instance': RELEASE_OF_53,
        'app.kubernetes.io/managed-by': 'Helm',
        'app.kubernetes.io/name': 'agent',
        'app.kubernetes.io/version': '0.6.0',
        'helm.sh/chart': 'agent-0.6.0',
      },
    });
  });
});

requirement('9.2/agent-chart-0.6.0', () => {
  it('has the version with the value', async () => {
    const { agent } = await agentOf({ toolset: ['tool:a'] });
    expect(agent.metadata.labels?.['helm.sh/chart']).toBe('agent-0.6.0');
    expect(agent.spec.declarative.tools?.[0]?.headersFrom?.[0]?.value).toBe('tool:a');
  });
});

describe('the metadata', () => {
  it('has a build version that is valid in labels', async () => {
    const [agent] = await objectsOfBuild('agent', `0.6.1+${'b'.repeat(56)}.${'c'.repeat(9)}`);
    expect(agent?.metadata.labels).toMatchObject({
      'app.kubernetes.io/version': `0.6.1_${'b'.repeat(56)}`,
      'helm.sh/chart': `agent-0.6.1_${'b'.repeat(51)}`,
    });
  });

  it('accepts names of 63 characters, and labels and annotations that override those of the chart', async () => {
    const name = `a${'-'.repeat(61)}z`;
    const displayName = '🚀'.repeat(63);
    const { agent } = await agentOf({
      agent: { name, displayName },
      labels: { app: 'mine', '1e3': 'true' },
      annotations: { 'example.com/a': '1e3', 'example.com/b': 'x\n---\ny' },
      global: { labelDomain: 'platform.example' },
    });
    expect(agent.metadata.name).toBe(name);
    expect(agent.metadata.labels).toMatchObject({ app: 'mine', '1e3': 'true' });
    expect(agent.metadata.annotations).toEqual({
      'platform.example/display-name': displayName,
      'example.com/a': '1e3',
      'example.com/b': 'x\n---\ny',
    });
  });

  it('has no annotations without any', async () =>
    expect(Object.keys((await agentOf({})).agent.metadata)).not.toContain('annotations'));
});

/** The specs that the chart renders for many values, in one run of Helm. */
const specsOf = async (values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await agentsOf(values)).map(({ spec }) => spec);

describe('extraAgentSpec', () => {
  it('is refused when it would replace the whole agent', async () =>
    expect(await refusalOf({ extraAgentSpec: { declarative: ['x'] } })).toBe(
      'extraAgentSpec.declarative must be a map, got slice',
    ));

  it('is merged with precedence; lists are replaced, null removes, false and 0 are values', async () => {
    const [merged, empty, withTools, byo] = await specsOf([
      {
        extraAgentSpec: {
          declarative: {
            systemMessage: null,
            systemMessageFrom: { type: 'Secret', name: 'prompts', key: 'helper' },
            stream: false,
            runtime: '',
            deployment: { replicas: 0, env: [], resources: { limits: { cpu: '2' } } },
          },
        },
      },
      { extraAgentSpec: {} },
      {
        toolset: ['preset:read-only'],
        extraAgentSpec: { declarative: { tools: [{ type: 'Agent', agent: { name: 'planner' } }] } },
      },
      { extraAgentSpec: { type: 'BYO', byo: { deployment: { image: 'x' } }, declarative: null } },
    ]);
    expect(merged?.['declarative']).toEqual({
      runtime: '',
      modelConfig: 'default-model-config',
      systemMessageFrom: { type: 'Secret', name: 'prompts', key: 'helper' },
      tools: (empty?.['declarative'] as { tools: unknown }).tools,
      deployment: {
        replicas: 0,
        env: [],
        resources: {
          requests: { cpu: '100m', memory: '256Mi' },
          limits: { cpu: '2', memory: '512Mi' },
        },
      },
      stream: false,
    });
    // The documentation warns about this: the list replaces the header.
    expect(withTools?.['declarative']).toMatchObject({
      tools: [{ type: 'Agent', agent: { name: 'planner' } }],
    });
    expect(byo).toEqual({ type: 'BYO', byo: { deployment: { image: 'x' } } });
  });
});

it('skills exist only with images or repositories; the Secret never alone', async () => {
  const gitAuthSecretRef = { name: 'git' };
  const specs = await specsOf([
    { skills: { gitAuthSecretRef } },
    { skills: { refs: ['a'], gitAuthSecretRef } },
    { skills: { gitRefs: [{ url: 'https://git.example' }] } },
  ]);
  expect(specs.map(({ skills }) => skills)).toEqual([
    undefined,
    { refs: ['a'], gitAuthSecretRef },
    { gitRefs: [{ url: 'https://git.example' }] },
  ]);
});

it('numbers stay whole numbers, however large', async () => {
  const { text } = await agentOf({
    replicas: 1_000_000,
    tolerations: [{ tolerationSeconds: 123_456_789_012 }],
  });
  expect(text).toContain('replicas: 1000000\n');
  expect(text).toContain('tolerationSeconds: 123456789012\n');
});

it('the notes describe the tools of the agent', async () => {
  const head = 'The agent demo is in the namespace demo-ns.\n';
  const withoutGateway = `${head}It does not have the gateway as a tool.\n`;
  expect(
    await notesOf([
      {},
      { toolset: ['preset:read-only', 'tool:a'] },
      { toolset: ['preset:none'] },
      { muster: { enabled: false } },
      { toolset: ['tool:a'], extraAgentSpec: { declarative: { tools: [] } } },
    ]),
  ).toEqual([
    `${head}It has no toolset and can use everything that the gateway exposes. Set the value toolset to restrict it.\n`,
    `${head}Its toolset: preset:read-only, tool:a\n`,
    withoutGateway,
    withoutGateway,
    `${head}extraAgentSpec.declarative.tools replaced its tools, so the toolset of the values has no effect.\n`,
  ]);
});
