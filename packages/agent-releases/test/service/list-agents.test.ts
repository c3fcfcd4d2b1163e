import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { agent, object, release, setUpService } from '../support/service-parts.ts';

const elsewhere = (name: string, namespace: string) => release(name, {}, { namespace });
const releaseFrom = (name: string, source: string, kind = 'OCIRepository') =>
  release(name, { chartRef: { kind, name: source } });
const source = (name: string, chart: string) =>
  object('OCIRepository', name, { url: `oci://registry.gateway.internal/charts/${chart}` });

const setUp = (objects: readonly KubernetesObject[]) =>
  setUpService({ objects }, { namespaces: ['default', 'team-a'] }).service;

describe('list_agents', () => {
  it.each<[string, readonly KubernetesObject[], readonly string[]]>([
    [
      'shows Agents, and releases of the chart that have none yet, by name',
      [
        ...[release('zoe'), release('sre'), agent('sre'), agent('bare')],
        ...[releaseFrom('postgres', 'postgres'), object('HelmRelease', 'chartless', {})],
      ],
      ['bare exists none -', 'sre exists helmrelease sre', 'zoe to come helmrelease zoe'],
    ],
    [
      'identifies a release of the chart by the URL of its source',
      [
        ...[source('mirror', 'agent'), source('other', 'other')],
        ...[releaseFrom('a', 'mirror'), releaseFrom('b', 'mirror'), releaseFrom('c', 'other')],
        releaseFrom('d', 'agent', 'HelmChart'),
      ],
      ['a to come helmrelease a', 'b to come helmrelease b'],
    ],
    [
      'believes the labels of Flux before names, and shows no release twice',
      [
        ...[release('behind'), agent('sre', 'behind')],
        ...[elsewhere('there', 'team-a'), agent('moved', 'there', 'team-a')],
        ...[elsewhere('foreign', 'elsewhere'), agent('lost', 'foreign', 'elsewhere')],
        ...[release('renamed'), agent('renamed', 'gone')],
      ],
      [
        'lost exists none -',
        'moved exists helmrelease there',
        'renamed exists helmrelease renamed',
        'sre exists helmrelease behind',
      ],
    ],
    [
      'assigns a release of another chart only to the Agent that is labelled with it',
      [
        ...[releaseFrom('sre', 'postgres'), agent('sre')],
        ...[releaseFrom('umbrella', 'umbrella'), agent('inner', 'umbrella')],
      ],
      ['inner exists helmrelease umbrella', 'sre exists none -'],
    ],
  ])('%s', async (_rule, objects, lines) => {
    const answer = await setUp(objects).list_agents({});
    expect(
      answer.ok &&
        answer.value.agents.map(
          ({ name, exists, managed, helmRelease }) =>
            `${name} ${exists ? 'exists' : 'to come'} ${managed} ${helmRelease?.name ?? '-'}`,
        ),
    ).toEqual(lines);
  });

  it('returns the same object for each agent as get_agent', async () => {
    const service = setUp([release('a'), release('b'), agent('b')]);
    const first = await service.list_agents({});
    const second = await service.list_agents({});
    if (!first.ok || !second.ok) throw new Error('lists');
    for (const [index, listed] of first.value.agents.entries()) {
      const got = await service.get_agent({ name: listed.name });
      expect(got.ok && got.value).toBe(listed);
      expect(second.value.agents[index]).toBe(listed);
    }
  });

  it.each([
    [{}, []],
    [{ namespace: ' ' }, []],
    [{ namespace: 'team-a' }, [{ name: 'a', namespace: 'team-a' }]],
  ])(
    'shows one namespace, the default one unless another is asked for: %j',
    async (given, agents) => {
      const service = setUp([elsewhere('a', 'team-a')]);
      expect(await service.list_agents(given)).toMatchObject({ value: { agents } });
    },
  );
});
