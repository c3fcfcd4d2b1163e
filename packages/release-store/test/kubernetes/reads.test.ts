import type { AgentStore } from '@gateway/agent-releases';
import { describe, expect, it } from 'vitest';
import { at, modelOf, releaseOf, sourceOf } from '../suite/sample-objects.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import type { ApiObject, ApiServer } from '@gateway/test-cluster';
import { startCluster } from '../support/cluster.ts';

const release = (name: string, namespace?: string): ApiObject =>
  releaseOf(name, {}, namespace) as ApiObject;

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): ApiObject => ({ apiVersion, kind, metadata: { ...at(name) }, ...more });

const podOf = (agent: string): ApiObject =>
  object('v1', 'Pod', `${agent}-1`, {
    metadata: { ...at(`${agent}-1`), labels: { kagent: agent } },
  });

const eventOf = (name: string, kind: string, about: string): ApiObject =>
  object('v1', 'Event', name, { reason: name, involvedObject: { kind, name: about } });

/** Releases, and an API that gives two of them at a time. */
const many = (api: ApiServer, count: number): void => {
  api.pages.maxPage = 2;
  for (let at = 0; at < count; at += 1) api.apply(release(`a-${String(at).padStart(4, '0')}`));
};

const counts = async (store: AgentStore): Promise<number> =>
  valueOf(await store.listReleases('default')).length;

describe('a list', () => {
  it('is read page by page, as of one moment', async () => {
    const { api, open } = await startCluster();
    many(api, 5);
    const store = await open();
    api.fault = ({ query }) => {
      if (query.has('continue')) api.apply(release(`z-${api.requests.length}`));
      return false;
    };
    expect(await counts(store)).toBe(5);
    expect(api.requests.map(({ query }) => query.get('limit'))).toEqual(['500', '500', '500']);
  });

  it('begins again when its pages have expired, and gives up when they expire again and again', async () => {
    const { api, open } = await startCluster();
    many(api, 3);
    const store = await open();
    let expirations = 1;
    api.fault = ({ query }) => {
      if (query.has('continue') && expirations > 0) {
        expirations -= 1;
        api.compact();
      }
      return false;
    };
    expect(await counts(store)).toBe(3);
    expirations = 3;
    expect(await store.listReleases('default')).toMatchObject({
      refusal: {
        message:
          'the Kubernetes API could not list HelmReleases in namespace default: it answered 410: The provided continue parameter is too old to display a consistent list result.',
      },
    });
  });

  it('is shared by calls before it begins, and by no later call', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    const first = counts(store);
    api.apply(release('early'));
    const rest = Array.from({ length: 20 }, () => counts(store));
    await first;
    expect(new Set(await Promise.all(rest))).toEqual(new Set([1]));
    expect(api.requests).toHaveLength(2);
    expect(await counts(store)).toBe(1);
    expect(api.requests).toHaveLength(3);
  });

  it('omits objects without a name, and managed fields', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    valueOf(await store.createRelease(releaseOf('sre')));
    const { metadata } = valueOf(await store.getRelease(at('sre')))!.object;
    expect(Object.keys(metadata)).not.toContain('managedFields');
    api.fault = (_request, response) => {
      const items = [null, 5, {}, { metadata: { name: 7, namespace: [] } }, release('sre')];
      response.end(JSON.stringify({ metadata: 'none', items }));
      return true;
    };
    const [only, ...others] = valueOf(await store.listReleases('default'));
    expect(only?.object).toEqual(releaseOf('sre'));
    expect(others).toEqual([]);
  });
});

describe('an object that did not change', () => {
  it('is identical in lists and single reads, for every kind, and another one after it was created again', async () => {
    const { api, open } = await startCluster();
    api.apply(release('sre'));
    api.apply(object('kagent.dev/v1alpha2', 'Agent', 'sre'));
    api.apply(modelOf('sonnet') as ApiObject);
    const store = await open();
    const [listed] = valueOf(await store.listReleases('default'));
    expect(valueOf(await store.getRelease(at('sre')))).toBe(listed);
    const [agent] = valueOf(await store.listAgents('default'));
    expect(valueOf(await store.listAgents('default'))[0]).toBe(agent);
    expect(valueOf(await store.getAgent(at('sre')))).toBe(agent);
    const { listed: models } = valueOf(await store.modelConfigs('default'));
    expect(valueOf(await store.modelConfigs('default')).listed[0]).toBe(models[0]);
    api.remove('HelmRelease', at('sre'));
    api.apply(release('sre'));
    expect(valueOf(await store.getRelease(at('sre')))).not.toBe(listed);
  });
});

describe('names that no object can have', () => {
  it.each(['..', '.', 'a/b', '', 'A', 'a%2fb', 'ü', 'x'.repeat(300), '-a', 'a?b', '__proto__'])(
    '%j is absent, and not asked for',
    async (name) => {
      const { api, open } = await startCluster();
      const store = await open();
      const here = at(name);
      expect(await store.getRelease(here)).toEqual({ ok: true, value: undefined });
      expect(await store.deleteRelease(here)).toEqual({ ok: true, value: false });
      expect(await store.deleteSource({ namespace: name, name: 'a' })).toEqual({
        ok: true,
        value: false,
      });
      expect(await store.listReleases(name)).toEqual({ ok: true, value: [] });
      expect(await store.replaceRelease(releaseOf(name), '1')).toMatchObject({
        refusal: { code: 'conflict' },
      });
      expect(valueOf(await store.workload(here))).toEqual({
        deployment: undefined,
        pods: [],
        events: [],
      });
      expect(api.requests).toEqual([]);
    },
  );

  it('constructor is a name like any other', async () => {
    const { api, open } = await startCluster();
    api.apply(release('constructor'));
    const store = await open();
    expect(valueOf(await store.getRelease(at('constructor')))?.object.kind).toBe('HelmRelease');
  });
});

describe('the workload of an agent', () => {
  it('is its Deployment, its pods, and the events of these, the release and the agent', async () => {
    const { api, open } = await startCluster();
    api.apply(object('apps/v1', 'Deployment', 'sre', { status: { replicas: 1 } }));
    api.apply(podOf('sre'));
    api.apply(podOf('other'));
    for (const kind of ['Agent', 'HelmRelease', 'Deployment', 'Secret'])
      api.apply(eventOf(kind.toLowerCase(), kind, 'sre'));
    api.apply(eventOf('pulled', 'Pod', 'sre-1'));
    api.apply(eventOf('not-mine', 'Pod', 'other-1'));
    const workload = valueOf(await (await open()).workload(at('sre')));
    expect(workload.deployment).toMatchObject({ kind: 'Deployment', status: { replicas: 1 } });
    expect(workload.pods.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['Pod', 'sre-1'],
    ]);
    const reasons = workload.events.map((event) => (event as { reason?: string }).reason);
    expect(reasons.toSorted()).toEqual(['agent', 'deployment', 'helmrelease', 'pulled']);
  });

  it('is nothing where nothing runs', async () => {
    const { open } = await startCluster();
    expect(valueOf(await (await open()).workload(at('sre')))).toEqual({
      deployment: undefined,
      pods: [],
      events: [],
    });
  });
});

describe('a write', () => {
  it('is one of agent-manager, plain and once', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    const created = valueOf(await store.createRelease(releaseOf('sre')));
    const changed = { ...created.object, spec: { interval: '5m' } };
    valueOf(await store.replaceRelease(changed, created.revision));
    valueOf(await store.createSource(sourceOf('agent')));
    expect(
      api.requests.map(({ verb, query, headers }) => [
        verb,
        query.get('fieldManager'),
        headers['user-agent'],
      ]),
    ).toEqual([
      ['create', 'agent-manager', 'agent-manager'],
      ['update', 'agent-manager', 'agent-manager'],
      ['create', 'agent-manager', 'agent-manager'],
    ]);
    const stored = api.history.list(
      {
        group: 'helm.toolkit.fluxcd.io',
        version: 'v2',
        kind: 'HelmRelease',
        resource: 'helmreleases',
      },
      'default',
    );
    expect(stored[0]).toMatchObject({
      metadata: { generation: 2, managedFields: [{ manager: 'agent-manager' }] },
      spec: { interval: '5m' },
    });
  });

  it('does not write the status, which controllers write and which changes the revision', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    const created = valueOf(await store.createRelease(releaseOf('sre')));
    const reconciled = { ...release('sre'), status: { observedGeneration: 1 } };
    const { metadata } = api.apply(reconciled);
    expect(await store.replaceRelease(created.object, created.revision)).toEqual({
      ok: false,
      refusal: {
        code: 'conflict',
        message:
          'conflict: HelmRelease default/sre has changed since it was read; read the agent again and repeat the change',
      },
    });
    const again = valueOf(
      await store.replaceRelease(releaseOf('sre', { a: 1 }), metadata.resourceVersion!),
    );
    expect(again.object.status).toEqual({ observedGeneration: 1 });
  });

  it('of a name that is taken is refused, by one that is being deleted too', async () => {
    const { api, open } = await startCluster();
    const store = await open();
    const finalizers = ['finalizers.fluxcd.io'];
    api.apply({ ...release('sre'), metadata: { ...at('sre'), finalizers } });
    expect(await store.deleteRelease(at('sre'))).toEqual({ ok: true, value: true });
    const leaving = valueOf(await store.getRelease(at('sre')))!;
    expect(leaving.object.metadata.deletionTimestamp).toMatch(/^20/);
    expect(await store.createRelease(releaseOf('sre'))).toEqual({
      ok: false,
      refusal: {
        code: 'conflict',
        message: 'conflict: HelmRelease default/sre already exists; use update_agent to change it',
      },
    });
    const done = { ...leaving.object, metadata: { ...leaving.object.metadata, finalizers: [] } };
    valueOf(await store.replaceRelease(done, leaving.revision));
    expect(await store.getRelease(at('sre'))).toEqual({ ok: true, value: undefined });
  });
});
