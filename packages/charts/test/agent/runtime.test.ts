import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseManifestObjects } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { agentsOf, type Agent } from './agent-chart.ts';
import { agentProblems } from './agent-problems.ts';

const GOLDEN = join(import.meta.dirname, '../golden/agent');

const golden = async (name: string): Promise<Agent> => {
  const [agent] = parseManifestObjects(await readFile(join(GOLDEN, `${name}.yaml`), 'utf8'));
  return agent as Agent;
};

type Draft = Record<string, Record<string, unknown>>;

/** A copy of the Agent with its spec changed. */
const changed = (agent: Agent, change: (spec: Draft, tool: Draft) => void): Agent => {
  const copy = structuredClone(agent);
  const [tool] = copy.spec.declarative.tools ?? [];
  change(copy.spec as unknown as Draft, tool as unknown as Draft);
  return copy;
};

describe('the rendered Agent', () => {
  it.each(['default', 'toolset', 'chat-only', 'everything'])('%s', async (name) => {
    expect(agentProblems(await golden(name))).toEqual([]);
  });

  it('with runtime fields in extraAgentSpec', async () => {
    const values = [
      {
        extraAgentSpec: {
          documentationUrl: 'https://docs.example',
          allowedNamespaces: { from: 'All' },
          declarative: {
            systemMessage: null,
            systemMessageFrom: { type: 'ConfigMap', name: 'prompts', key: 'helper' },
            deployment: { serviceAccountName: 'agents', volumes: [{ name: 'tmp', emptyDir: {} }] },
          },
        },
      },
      { extraAgentSpec: { type: 'BYO', byo: { deployment: { image: 'x' } }, declarative: null } },
      { extraTools: Array.from({ length: 19 }, () => ({ type: 'Agent', agent: { name: 'a' } })) },
    ];
    expect((await agentsOf(values)).flatMap(agentProblems)).toEqual([]);
  });
});

describe('the versions of the runtime', () => {
  const page = new URL('../../../../docs/charts/agent.md', import.meta.url);

  it('are from 0.8.0 on, which has the field runtime of every Agent', async () => {
    const agents = await Promise.all(['default', 'chat-only', 'everything'].map(golden));
    for (const { spec } of agents) expect(spec.declarative).toHaveProperty('runtime');
    expect(await readFile(page, 'utf8')).toContain('kagent from version 0.8.0 on');
  });

  it('before 0.10.0 have no iconUrl, which an Agent has only when the value is set', async () => {
    expect((await golden('default')).spec).not.toHaveProperty('iconUrl');
    expect((await golden('everything')).spec).toHaveProperty('iconUrl');
    expect(await readFile(page, 'utf8')).toContain('`agent.iconUrl` before 0.10.0');
  });
});

describe('the runtime refuses', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await golden('toolset');
  });

  it('a header inside the server reference', () => {
    const misplaced = changed(agent, (_spec, tool) => {
      tool['mcpServer'] = { ...tool['mcpServer'], headersFrom: tool['headersFrom'] };
      delete tool['headersFrom'];
    });
    expect(agentProblems(misplaced)).toEqual([
      'Agent demo: spec.declarative.tools[0].mcpServer.headersFrom: is no field',
    ]);
  });

  it.each<readonly [string, readonly string[], (spec: Draft, tool: Draft) => void]>([
    [
      'a toolset as a field',
      ['Agent demo: spec.declarative.tools[0].toolset: is no field'],
      (_spec, tool) => Object.assign(tool, { toolset: ['preset:read-only'] }),
    ],
    [
      'a model config that is no text',
      ['Agent demo: spec.declarative.modelConfig: must be string'],
      ({ declarative }) => Object.assign(declarative ?? {}, { modelConfig: { name: 'x' } }),
    ],
    [
      'the value of a variable that is no text',
      ['Agent demo: spec.declarative.deployment.env[0].value: must be string'],
      ({ declarative }) =>
        Object.assign(declarative?.['deployment'] as object, { env: [{ name: 'A', value: true }] }),
    ],
    [
      'more than 20 tools',
      ['Agent demo: spec.declarative.tools: must NOT have more than 20 items'],
      ({ declarative }, tool) =>
        Object.assign(declarative ?? {}, { tools: Array.from({ length: 21 }, () => tool) }),
    ],
    [
      'a server without a name',
      ['Agent demo: spec.declarative.tools[0].mcpServer.name: is required'],
      (_spec, tool) => delete tool['mcpServer']?.['name'],
    ],
    [
      'empty skills',
      ['Agent demo: spec.skills.gitRefs: must NOT have fewer than 1 items'],
      (spec) => Object.assign(spec, { skills: { gitRefs: [] } }),
    ],
    [
      'a header with two sources',
      ['Exactly one of value or valueFrom must be specified'],
      (_spec, tool) =>
        Object.assign((tool['headersFrom'] as unknown as object[])[0] ?? {}, {
          valueFrom: { type: 'Secret', name: 'a', key: 'b' },
        }),
    ],
    [
      'a tool without what its type says',
      ['type.mcpServer must be specified for McpServer filter.type'],
      (_spec, tool) => delete tool['mcpServer'],
    ],
    [
      'a tool of two types',
      ['type.agent must be nil if the type is not Agent'],
      (_spec, tool) => Object.assign(tool, { agent: { name: 'planner' } }),
    ],
    [
      'an agent’s tool of the other type',
      [
        'type.mcpServer must be nil if the type is not McpServer',
        'type.agent must be specified for Agent filter.type',
      ],
      (_spec, tool) => Object.assign(tool, { type: 'Agent' }),
    ],
    [
      'sessions apart for a server, and approval of what is not named',
      [
        'isolateSessions can only be set when type is Agent',
        'each RequireApproval entry must also appear in ToolNames',
      ],
      (_spec, tool) => {
        Object.assign(tool, { isolateSessions: true });
        Object.assign(tool['mcpServer'] ?? {}, { requireApproval: ['call_tool'] });
      },
    ],
    [
      'two system messages',
      ['systemMessage and systemMessageFrom are mutually exclusive'],
      ({ declarative }) =>
        Object.assign(declarative ?? {}, {
          systemMessageFrom: { type: 'Secret', name: 'a', key: 'b' },
        }),
    ],
    [
      'two service accounts',
      ['serviceAccountName and serviceAccountConfig are mutually exclusive'],
      ({ declarative }) =>
        Object.assign(declarative?.['deployment'] as object, {
          serviceAccountName: 'a',
          serviceAccountConfig: {},
        }),
    ],
    [
      'a type without its block',
      [
        'declarative must be specified if type is Declarative, or byo must be specified if type is BYO',
      ],
      (spec) => Object.assign(spec, { type: 'BYO' }),
    ],
    [
      'another type',
      ['Agent demo: spec.type: must be equal to one of the allowed values'],
      (spec) => Object.assign(spec, { type: 'Remote' }),
    ],
    ['no type', ['Agent demo: spec.type: is required'], (spec) => delete spec['type']],
  ])('%s', (_what, problems, change) => {
    expect(agentProblems(changed(agent, change))).toEqual(problems);
  });
});

describe('a RemoteMCPServer', () => {
  const server = (spec: object) => ({
    apiVersion: 'kagent.dev/v1alpha2',
    kind: 'RemoteMCPServer',
    metadata: { name: 'gateway', namespace: 'agent-platform' },
    spec: { description: 'The gateway', url: 'http://gateway.agent-platform:8090/mcp', ...spec },
  });

  it('is within the permissions of the gateway chart', () =>
    expect(
      kubernetesProblems([
        server({
          protocol: 'STREAMABLE_HTTP',
          timeout: '30s',
          sseReadTimeout: '5m0s',
          terminateOnClose: true,
          allowedNamespaces: { from: 'All' },
        }),
      ]),
    ).toEqual([]));

  it('refuses unknown fields, other protocols, and TLS without https', () => {
    expect(kubernetesProblems([server({ header: [] })])).toEqual([
      'RemoteMCPServer gateway: spec.header: is no field',
    ]);
    expect(kubernetesProblems([server({ protocol: 'HTTP', timeout: '30' })])).toEqual([
      'RemoteMCPServer gateway: spec.protocol: must be equal to one of the allowed values',
      expect.stringContaining('RemoteMCPServer gateway: spec.timeout: must match pattern'),
    ]);
    expect(kubernetesProblems([server({ tls: {} })])).not.toEqual([]);
    expect(kubernetesProblems([server({ url: 'https://gateway.example/mcp', tls: {} })])).toEqual(
      [],
    );
    expect(kubernetesProblems([server({ url: '' })])).toEqual([
      'RemoteMCPServer gateway: spec.url: must NOT have fewer than 1 characters',
    ]);
  });
});
