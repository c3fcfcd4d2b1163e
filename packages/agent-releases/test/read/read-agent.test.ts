import { OPERATIONS } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderAgentList } from '../../src/index.ts';
import type { AgentResource, HelmRelease, Json } from '../../src/store/agent-store.ts';
import { readAgent } from '../../src/read/read-agent.ts';
import { requirement } from '../requirement.ts';

const NAME = { name: 'sre', namespace: 'team-a' };
const release = (parts: Partial<HelmRelease> = {}): HelmRelease => ({ metadata: NAME, ...parts });
const agent = (parts: Partial<AgentResource> = {}): AgentResource => ({ metadata: NAME, ...parts });
const withValues = (values: Json) => release({ spec: { values } });

const gateway = (...headersFrom: readonly unknown[]) => ({
  type: 'McpServer',
  mcpServer: { name: 'gateway' },
  ...(headersFrom.length > 0 && { headersFrom }),
});
const header = (value: unknown, name = 'X-Gateway-Toolset') => ({ name, value });
const withTools = (...tools: readonly unknown[]) => agent({ spec: { declarative: { tools } } });

describe('an agent', () => {
  it('that is not rendered yet is read from the values of its release', () => {
    const texts = { displayName: 'SRE', description: 'helps', iconUrl: 'https://a.svg' };
    const fields = { ...texts, systemMessage: 'Be brief.', runtime: 'go' };
    const refs = { refs: ['a'], gitRefs: [{ url: 'u', path: 'p' }] };
    const toolset = ['preset:read-only'];
    const values = {
      agent: { name: 'sre', ...fields },
      modelConfig: { name: 'small' },
      skills: { ...refs, gitAuthSecretRef: { name: 's' } },
      toolset,
    };
    const chartRef = { kind: 'OCIRepository', name: 'agent' };
    expect(readAgent({ release: release({ spec: { chartRef, values } }) })).toEqual({
      ...NAME,
      exists: false,
      ...fields,
      modelConfig: 'small',
      skills: { ...refs, gitAuthSecretName: 's' },
      toolset,
      ready: null,
      accepted: null,
      managed: 'helmrelease',
      helmRelease: {
        ...NAME,
        ready: null,
        suspended: false,
        gitOpsOwned: false,
        deleting: false,
        chartRef: { ...chartRef, namespace: 'team-a' },
      },
      values,
    });
  });

  it('that is rendered is declared by its release, and the rest is read from the Agent', () => {
    const annotations = { 'example.com/display-name': 'SRE', 'gateway.internal/other': 'x' };
    const shared = { modelConfig: 'default-model-config', systemMessage: 'You are helpful.' };
    const tools = [gateway(header('tool:old'))];
    const spec = { description: 'old', declarative: { ...shared, runtime: 'go', tools } };
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'DeploymentReady', lastTransitionTime: 't' },
      { type: 'Accepted', status: 'False', message: 'no such model' },
    ];
    const status = { conditions: [...conditions, { type: 1 }] };
    expect(
      readAgent({
        release: withValues({ agent: { description: 'new' }, toolset: ['tool:a'] }),
        agent: agent({ metadata: { ...NAME, annotations }, spec, status }),
      }),
    ).toMatchObject({
      exists: true,
      displayName: 'SRE',
      description: 'new',
      ...shared,
      toolset: ['tool:a'],
      ready: true,
      accepted: false,
      conditions,
      managed: 'helmrelease',
    });
  });

  it('is neither ready nor unready without a condition', () => {
    const conditions = [{ type: 'Ready', status: 'Unknown' }];
    const read = readAgent({ agent: agent({ status: { conditions } }) });
    expect(read).toMatchObject({ ready: null, accepted: null });
  });

  it('reports the state of its release', () => {
    const metadata = {
      ...NAME,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' },
    };
    const reason = { reason: 'UpgradeFailed', message: 'no' };
    const status = {
      conditions: [{ type: 'Ready', status: 'False', ...reason }],
      history: [{ chartVersion: '0.6.0' }, { chartVersion: '0.5.0' }],
      lastAttemptedRevision: '0.6.1',
    };
    expect(readAgent({ release: release({ metadata, spec: { suspend: true }, status }) })).toEqual({
      ...NAME,
      exists: false,
      ready: null,
      accepted: null,
      implicitFullAccess: true,
      managed: 'gitops',
      helmRelease: {
        ...NAME,
        ready: false,
        ...reason,
        chartVersion: '0.6.0',
        lastAttemptedRevision: '0.6.1',
        suspended: true,
        gitOpsOwned: true,
        deleting: true,
      },
    });
  });
});

type Objects = Parameters<typeof readAgent>[0];
const access = (objects: Objects) => {
  const { toolset, implicitFullAccess } = readAgent(objects);
  return implicitFullAccess === undefined ? toolset : { toolset, implicitFullAccess };
};

requirement('4.4/read-toolset', () => {
  const other = { mcpServer: { name: 'other' }, headersFrom: [header('tool:a')] };
  it.each<[string, Objects, readonly string[] | undefined]>([
    [
      'the list of the release, independent of the Agent',
      {
        release: withValues({ toolset: ['tool:a', 'tool:a'] }),
        agent: withTools(gateway(header('tool:b'))),
      },
      ['tool:a', 'tool:a'],
    ],
    [
      'an empty list, which no agent ever gets to run with',
      { release: withValues({ toolset: [] }) },
      [],
    ],
    [
      'nothing for a value that is not a list, which does not render',
      { release: withValues({ toolset: 'preset:full' }) },
      undefined,
    ],
    [
      'the header of an Agent without a release',
      {
        agent: withTools(
          { type: 'Agent' },
          gateway(header(' tool:a , ,tool:b', 'x-gateway-toolset')),
        ),
      },
      ['tool:a', 'tool:b'],
    ],
    ['the header of a gateway tool with any name', { agent: withTools(other) }, ['tool:a']],
    [
      'no content of a Secret',
      { agent: withTools(gateway({ name: 'X-Gateway-Toolset', valueFrom: {} })) },
      undefined,
    ],
  ])('reports %s', (_what, objects, toolset) => {
    expect(access(objects)).toEqual(toolset);
    expect(readAgent(objects).managed).toBe('release' in objects ? 'helmrelease' : 'none');
  });
});

requirement('4.4/read-implicit', () => {
  const limited = withTools(gateway(header('tool:b')));
  it.each<[string, Objects]>([
    ['a release without a toolset, also before its Agent exists', { release: withValues({}) }],
    ['a release without values', { release: release() }],
    ['a release with the toolset null', { release: withValues({ toolset: null }) }],
    ['a release, independent of the Agent', { release: release(), agent: limited }],
    [
      'an Agent without a release that reaches the gateway without the header',
      { agent: withTools(gateway()) },
    ],
    [
      'an Agent without a release that reaches it with and without the header',
      { agent: withTools(gateway(), gateway(header('tool:a'))) },
    ],
  ])('is reported of %s', (_what, objects) => {
    expect(readAgent(objects).implicitFullAccess).toBe(true);
    if ('release' in objects) expect(readAgent(objects)).not.toHaveProperty('toolset');
  });

  it('is not reported of an Agent that does not reach the gateway', () => {
    expect(access({ agent: withTools({ mcpServer: { name: 'other' } }) })).toBeUndefined();
  });
});

const listJson = (list: Parameters<typeof renderAgentList>[0]): string =>
  new TextDecoder().decode(renderAgentList(list));

describe('an agent that was read', () => {
  it('is the identical object for the same objects, so that its text can be cached', () => {
    const one = withValues({});
    expect(readAgent({ release: one })).toBe(readAgent({ release: one }));
    expect(readAgent({ release: one, agent: agent() }).exists).toBe(true);
    expect(readAgent({ release: one }).exists).toBe(false);
  });

  it('is printed as a list like any other JSON', () => {
    const both = [readAgent({ release: release() }), readAgent({ agent: agent() })];
    for (const agents of [both, both.toReversed(), both.slice(0, 1), []])
      expect(listJson({ agents })).toBe(JSON.stringify({ agents }));
  });

  it('leaves values out that are nested too deep to be printed', () => {
    const extraAgentSpec = Array.from({ length: 50_000 }).reduce<unknown>((a) => ({ a }), 1);
    const read = readAgent({ release: withValues({ extraAgentSpec }) });
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

it('objects of any shape are read without throwing, as the schema of the operation requires', () => {
  const wrap = (value: unknown) =>
    (typeof value === 'object' && value !== null ? value : { metadata: value }) as never;
  fc.assert(
    fc.property(anything, anything, (one, other) => {
      const both = { release: { spec: one } as never, agent: { spec: other } as never };
      for (const objects of [both, { release: wrap(one) }, { agent: wrap(other) }])
        expect(OPERATIONS.get_agent.output.safeParse(readAgent(objects)).error).toBeUndefined();
    }),
    { numRuns: 120 },
  );
});
