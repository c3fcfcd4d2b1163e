import { describe, expect, it } from 'vitest';
import { createAgentService } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore } from '../support/memory-store.ts';
import { serviceParts } from '../support/service-parts.ts';

const AGENT_CHART = { kind: 'OCIRepository', name: 'agent' };

const release = (name: string, chartRef?: object, namespace = 'default'): KubernetesObject => ({
  kind: 'HelmRelease',
  metadata: { name, namespace },
  spec: { ...(chartRef && { chartRef }), values: {} },
});

const agent = (name: string, owner?: readonly [string, string]): KubernetesObject => ({
  kind: 'Agent',
  metadata: {
    name,
    namespace: 'default',
    ...(owner && {
      labels: {
        'helm.toolkit.fluxcd.io/namespace': owner[0],
        'helm.toolkit.fluxcd.io/name': owner[1],
      },
    }),
  },
});

const createSkillSource = (name: string, url: string): KubernetesObject => ({
  kind: 'OCIRepository',
  metadata: { name, namespace: 'default' },
  spec: { url },
});

const setUp = (...objects: readonly KubernetesObject[]) => {
  const store = memoryStore({ objects });
  const service = createAgentService(serviceParts({ store, namespaces: ['default', 'team-a'] }));
  const shown = async (): Promise<readonly string[]> => {
    const answer = await service.list_agents({});
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value.agents.map(
      ({ name, exists, managed, helmRelease }) =>
        `${name} ${exists ? 'exists' : 'to come'} ${managed} ${helmRelease?.name ?? '-'}`,
    );
  };
  return { store, service, shown };
};

describe('list_agents', () => {
  it('shows Agents, and releases of the chart that have none yet, by name', async () =>
    expect(
      await setUp(
        release('zoe', AGENT_CHART),
        release('sre', AGENT_CHART),
        agent('sre'),
        agent('bare'),
        release('postgres', { kind: 'OCIRepository', name: 'postgres' }),
        release('chartless'),
      ).shown(),
    ).toEqual(['bare exists none -', 'sre exists helmrelease sre', 'zoe to come helmrelease zoe']));

  it('identifies a release of the chart by the URL of its source', async () =>
    expect(
      await setUp(
        createSkillSource('mirror', 'oci://registry.gateway.internal/charts/agent'),
        createSkillSource('other', 'oci://registry.gateway.internal/charts/other'),
        release('a', { kind: 'OCIRepository', name: 'mirror' }),
        release('b', { kind: 'OCIRepository', name: 'mirror' }),
        release('c', { kind: 'OCIRepository', name: 'other' }),
        release('d', { kind: 'HelmChart', name: 'agent' }),
      ).shown(),
    ).toEqual(['a to come helmrelease a', 'b to come helmrelease b']));

  it('believes the labels of Flux before names, and shows no release twice', async () =>
    expect(
      await setUp(
        release('behind', AGENT_CHART),
        agent('sre', ['default', 'behind']),
        release('there', AGENT_CHART, 'team-a'),
        agent('moved', ['team-a', 'there']),
        release('foreign', AGENT_CHART, 'elsewhere'),
        agent('lost', ['elsewhere', 'foreign']),
        release('renamed', AGENT_CHART),
        agent('renamed', ['default', 'gone']),
      ).shown(),
    ).toEqual([
      'lost exists none -',
      'moved exists helmrelease there',
      'renamed exists helmrelease renamed',
      'sre exists helmrelease behind',
    ]));

  it('assigns a release of another chart only to the Agent that is labelled with it', async () =>
    expect(
      await setUp(
        release('sre', { kind: 'OCIRepository', name: 'postgres' }),
        agent('sre'),
        release('umbrella', { kind: 'OCIRepository', name: 'umbrella' }),
        agent('inner', ['default', 'umbrella']),
      ).shown(),
    ).toEqual(['inner exists helmrelease umbrella', 'sre exists none -']));

  it('returns the same object for each agent as get_agent', async () => {
    const { service } = setUp(release('a', AGENT_CHART), release('b', AGENT_CHART), agent('b'));
    const first = await service.list_agents({});
    const second = await service.list_agents({});
    if (!first.ok || !second.ok) throw new Error('lists');
    for (const [index, listed] of first.value.agents.entries()) {
      const got = await service.get_agent({ name: listed.name });
      expect(got.ok && got.value).toBe(listed);
      expect(second.value.agents[index]).toBe(listed);
    }
  });

  it('shows one namespace, the default one unless another is asked for', async () => {
    const { service } = setUp(release('a', AGENT_CHART, 'team-a'));
    expect(await service.list_agents({})).toMatchObject({ value: { agents: [] } });
    expect(await service.list_agents({ namespace: ' ' })).toMatchObject({ value: { agents: [] } });
    expect(await service.list_agents({ namespace: 'team-a' })).toMatchObject({
      value: { agents: [{ name: 'a', namespace: 'team-a' }] },
    });
  });
});
