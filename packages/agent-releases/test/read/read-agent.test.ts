import { OPERATIONS } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderAgentList } from '../../src/index.ts';
import type { AgentResource, HelmRelease } from '../../src/store/agent-store.ts';
import { readAgent } from '../../src/read/read-agent.ts';
import { requirement } from '../requirement.ts';

const release = (parts: Partial<HelmRelease> = {}): HelmRelease => ({
  metadata: { name: 'sre', namespace: 'team-a' },
  ...parts,
});

const agent = (parts: Partial<AgentResource> = {}): AgentResource => ({
  metadata: { name: 'sre', namespace: 'team-a' },
  ...parts,
});

const gateway = (...headersFrom: readonly unknown[]) => ({
  type: 'McpServer',
  mcpServer: { name: 'gateway' },
  ...(headersFrom.length > 0 && { headersFrom }),
});

const header = (value: unknown, name = 'X-Gateway-Toolset') => ({ name, value });

const withTools = (...tools: readonly unknown[]) => agent({ spec: { declarative: { tools } } });

const listJson = (list: Parameters<typeof renderAgentList>[0]): string =>
  new TextDecoder().decode(renderAgentList(list));

describe('an agent that is not rendered yet', () => {
  it('is read from the values of its release', () =>
    expect(
      readAgent({
        release: release({
          spec: {
            chartRef: { kind: 'OCIRepository', name: 'agent' },
            values: {
              agent: {
                name: 'sre',
                displayName: 'SRE',
                description: 'helps',
                iconUrl: 'https://a.svg',
                systemMessage: 'Be brief.',
                runtime: 'go',
              },
              modelConfig: { name: 'small' },
              skills: {
                refs: ['a'],
                gitRefs: [{ url: 'u', path: 'p' }],
                gitAuthSecretRef: { name: 's' },
              },
              toolset: ['preset:read-only'],
            },
          },
        }),
      }),
    ).toEqual({
      name: 'sre',
      namespace: 'team-a',
      exists: false,
      displayName: 'SRE',
      description: 'helps',
      iconUrl: 'https://a.svg',
      systemMessage: 'Be brief.',
      runtime: 'go',
      modelConfig: 'small',
      skills: { refs: ['a'], gitRefs: [{ url: 'u', path: 'p' }], gitAuthSecretName: 's' },
      toolset: ['preset:read-only'],
      ready: null,
      accepted: null,
      managed: 'helmrelease',
      helmRelease: {
        name: 'sre',
        namespace: 'team-a',
        ready: null,
        suspended: false,
        gitOpsOwned: false,
        deleting: false,
        chartRef: { kind: 'OCIRepository', name: 'agent', namespace: 'team-a' },
      },
      values: {
        agent: {
          name: 'sre',
          displayName: 'SRE',
          description: 'helps',
          iconUrl: 'https://a.svg',
          systemMessage: 'Be brief.',
          runtime: 'go',
        },
        modelConfig: { name: 'small' },
        skills: {
          refs: ['a'],
          gitRefs: [{ url: 'u', path: 'p' }],
          gitAuthSecretRef: { name: 's' },
        },
        toolset: ['preset:read-only'],
      },
    }));
});

describe('an agent that is rendered', () => {
  it('is declared by its release, and the rest is read from the Agent', () =>
    expect(
      readAgent({
        release: release({
          spec: { values: { agent: { description: 'new' }, toolset: ['tool:a'] } },
        }),
        agent: agent({
          metadata: {
            name: 'sre',
            namespace: 'team-a',
            annotations: { 'example.com/display-name': 'SRE', 'gateway.internal/other': 'x' },
          },
          spec: {
            description: 'old',
            declarative: {
              modelConfig: 'default-model-config',
              runtime: 'go',
              systemMessage: 'You are a helpful agent.',
              tools: [gateway(header('tool:old'))],
            },
          },
          status: {
            conditions: [
              { type: 'Ready', status: 'True', reason: 'DeploymentReady', lastTransitionTime: 't' },
              { type: 'Accepted', status: 'False', message: 'no such model' },
              { type: 1 },
            ],
          },
        }),
      }),
    ).toMatchObject({
      exists: true,
      displayName: 'SRE',
      description: 'new',
      modelConfig: 'default-model-config',
      systemMessage: 'You are a helpful agent.',
      toolset: ['tool:a'],
      ready: true,
      accepted: false,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'DeploymentReady', lastTransitionTime: 't' },
        { type: 'Accepted', status: 'False', message: 'no such model' },
      ],
      managed: 'helmrelease',
    }));

  it('is neither ready nor unready without a condition', () => {
    const conditions = [{ type: 'Ready', status: 'Unknown' }];
    expect(readAgent({ agent: agent({ status: { conditions } }) })).toMatchObject({
      ready: null,
      accepted: null,
    });
  });
});

describe('the release of an agent', () => {
  it('reports its state', () =>
    expect(
      readAgent({
        release: release({
          metadata: {
            name: 'sre',
            namespace: 'team-a',
            deletionTimestamp: '2026-01-01T00:00:00Z',
            labels: { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' },
          },
          spec: { suspend: true },
          status: {
            conditions: [
              { type: 'Ready', status: 'False', reason: 'UpgradeFailed', message: 'no' },
            ],
            history: [{ chartVersion: '0.6.0' }, { chartVersion: '0.5.0' }],
            lastAttemptedRevision: '0.6.1',
          },
        }),
      }),
    ).toEqual({
      name: 'sre',
      namespace: 'team-a',
      exists: false,
      ready: null,
      accepted: null,
      implicitFullAccess: true,
      managed: 'gitops',
      helmRelease: {
        name: 'sre',
        namespace: 'team-a',
        ready: false,
        reason: 'UpgradeFailed',
        message: 'no',
        chartVersion: '0.6.0',
        lastAttemptedRevision: '0.6.1',
        suspended: true,
        gitOpsOwned: true,
        deleting: true,
      },
    }));
});

requirement('4.4/read-toolset', () => {
  const toolsetOf = (toolset: unknown) => {
    const read = readAgent({ release: release({ spec: { values: { toolset } } }) });
    return { toolset: read.toolset, implicitFullAccess: read.implicitFullAccess };
  };

  it('reports the list of the release, independent of the Agent', () =>
    expect(
      readAgent({
        release: release({ spec: { values: { toolset: ['tool:a', 'tool:a'] } } }),
        agent: withTools(gateway(header('tool:b'))),
      }).toolset,
    ).toEqual(['tool:a', 'tool:a']));

  it('reports an empty list, which no agent ever gets to run with', () =>
    expect(toolsetOf([])).toEqual({ toolset: [], implicitFullAccess: undefined }));

  it('reports nothing for a value that is not a list, which does not render', () =>
    expect(toolsetOf('preset:full')).toEqual({
      toolset: undefined,
      implicitFullAccess: undefined,
    }));

  it('parses the header of an Agent without a release back', () => {
    const read = readAgent({
      agent: withTools(
        { type: 'Agent' },
        gateway(header(' tool:a , ,tool:b', 'x-gateway-toolset')),
      ),
    });
    expect(read).toMatchObject({ toolset: ['tool:a', 'tool:b'], managed: 'none' });
    expect(read.implicitFullAccess).toBeUndefined();
  });

  it('reads the header of a gateway tool with any name', () =>
    expect(
      readAgent({
        agent: withTools({ mcpServer: { name: 'other' }, headersFrom: [header('tool:a')] }),
      }).toolset,
    ).toEqual(['tool:a']));

  it('does not read the content of a Secret', () =>
    expect(
      readAgent({ agent: withTools(gateway({ name: 'X-Gateway-Toolset', valueFrom: {} })) }),
    ).not.toHaveProperty('toolset'));
});

requirement('4.4/read-implicit', () => {
  it('is reported for a release without a toolset, or with null, also before its Agent exists', () => {
    expect(readAgent({ release: release({ spec: { values: {} } }) }).implicitFullAccess).toBe(true);
    expect(readAgent({ release: release() }).implicitFullAccess).toBe(true);
    const nulled = readAgent({ release: release({ spec: { values: { toolset: null } } }) });
    expect(nulled).toMatchObject({ implicitFullAccess: true });
    expect(nulled).not.toHaveProperty('toolset');
  });

  it('is reported independent of the Agent', () =>
    expect(
      readAgent({ release: release(), agent: withTools(gateway(header('tool:b'))) }),
    ).toMatchObject({ implicitFullAccess: true }));

  it('is reported of an Agent without a release that reaches the gateway without the header', () => {
    expect(readAgent({ agent: withTools(gateway()) }).implicitFullAccess).toBe(true);
    expect(readAgent({ agent: withTools(gateway(), gateway(header('tool:a'))) })).toMatchObject({
      implicitFullAccess: true,
    });
  });

  it('is not reported of an Agent that does not reach the gateway', () => {
    const read = readAgent({ agent: withTools({ mcpServer: { name: 'other' } }) });
    expect(read.implicitFullAccess ?? read.toolset).toBeUndefined();
  });
});

describe('an agent that was read', () => {
  it('is the identical object for the same objects, so that its text can be cached', () => {
    const one = release({ spec: { values: {} } });
    expect(readAgent({ release: one })).toBe(readAgent({ release: one }));
    expect(readAgent({ release: one, agent: agent() }).exists).toBe(true);
    expect(readAgent({ release: one }).exists).toBe(false);
  });

  it('is printed as a list like any other JSON', () => {
    const agents = [readAgent({ release: release() }), readAgent({ agent: agent() })];
    expect(listJson({ agents })).toBe(JSON.stringify({ agents }));
    expect(listJson({ agents: [...agents].reverse() })).toBe(
      JSON.stringify({ agents: [...agents].reverse() }),
    );
    expect(listJson({ agents: agents.slice(0, 1) })).toBe(
      JSON.stringify({ agents: agents.slice(0, 1) }),
    );
    expect(listJson({ agents: [] })).toBe('{"agents":[]}');
  });

  it('leaves values out that are nested too deep to be printed', () => {
    const deep = Array.from({ length: 50_000 }).reduce<unknown>((inner) => ({ a: inner }), 1);
    const read = readAgent({ release: release({ spec: { values: { extraAgentSpec: deep } } }) });
    expect(read).not.toHaveProperty('values');
    expect(listJson({ agents: [read] })).toContain('"name":"sre"');
  });
});

/** JSON of any shape, in which the places that are read often hold something. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, '', 'True', 'Ready', 'gateway', ['a'], [1]),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom(
        ...['metadata', 'name', 'namespace', 'labels', 'annotations', 'x/display-name', 'spec'],
        ...['values', 'agent', 'displayName', 'toolset', 'skills', 'gitRefs', 'url', 'chartRef'],
        ...['declarative', 'tools', 'headersFrom', 'value', 'mcpServer', 'status', 'conditions'],
        ...['type', 'history', 'chartVersion', '__proto__', 'constructor', 'kind'],
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  ),
})).value;

describe('objects of any shape', () => {
  const { output } = OPERATIONS.get_agent;

  it('are read without throwing, as the schema of the operation requires', () =>
    fc.assert(
      fc.property(anything, anything, (one, other) => {
        const both = { release: { spec: one } as never, agent: { spec: other } as never };
        for (const objects of [both, { release: wrapped(one) }, { agent: wrapped(other) }])
          expect(output.safeParse(readAgent(objects)).error).toBeUndefined();
      }),
      { numRuns: 120 },
    ));

  const wrapped = (value: unknown) =>
    (typeof value === 'object' && value !== null ? value : { metadata: value }) as never;
});
