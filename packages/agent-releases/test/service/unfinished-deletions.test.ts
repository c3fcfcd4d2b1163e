import { refuse } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { createAgentService } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore, type MemoryStore } from '../support/memory-store.ts';
import { serviceParts } from '../support/service-parts.ts';

const SOURCE: KubernetesObject = {
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'OCIRepository',
  metadata: { name: 'agent', namespace: 'default' },
  spec: { url: 'oci://registry.gateway.internal/charts/agent' },
};

const release = (name: string): KubernetesObject => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { name, namespace: 'default' },
  spec: { chartRef: { kind: 'OCIRepository', name: 'agent' }, values: { agent: { name } } },
});

const kinds = (store: MemoryStore): readonly string[] =>
  store.contents().map(({ kind, metadata }) => `${kind ?? ''} ${metadata.name}`);

const flux = (...names: readonly string[]) =>
  memoryStore({
    objects: [SOURCE, ...names.map(release)],
    takesAnyModel: true,
    hasFinalizers: true,
  });

/** A service for which Flux finishes deletions while it waits for the third time. */
const waiting = (store: MemoryStore, finishesAt = 3) => {
  const seen: (readonly string[])[] = [];
  const wait = (milliseconds: number): Promise<void> => {
    expect(milliseconds).toBe(250);
    seen.push(kinds(store));
    if (seen.length === finishesAt) store.finish();
    return Promise.resolve();
  };
  return { seen, service: createAgentService(serviceParts({ store, wait })) };
};

const NEW = { modelConfig: 'any', toolset: ['preset:none'] };

describe('a deletion that Flux has not finished', () => {
  it('keeps the source until the release is gone, and then deletes it', async () => {
    const store = flux('sre');
    const { seen, service } = waiting(store);
    expect(await service.delete_agent({ name: 'sre' })).toMatchObject({
      value: { helmReleaseDeleted: true, ociRepositoryDeleted: true },
    });
    expect(seen).toEqual(Array(3).fill(['OCIRepository agent', 'HelmRelease sre']));
    store.finish();
    expect(kinds(store)).toEqual([]);
  });

  it('leaves the source after five seconds, and says which release uses it', async () => {
    const store = flux('sre');
    const { seen, service } = waiting(store, Infinity);
    expect(await service.delete_agent({ name: 'sre' })).toMatchObject({
      value: {
        ociRepositoryDeleted: false,
        ociRepositoryKept: 'Flux still removes 1 HelmRelease(s) that reference it: sre',
      },
    });
    expect(seen).toHaveLength(19);
    expect(store.contents()).toContainEqual(SOURCE);
  });

  it('of two agents at once deletes the source after both', async () => {
    const store = flux('a', 'b');
    const { service } = waiting(store);
    await Promise.all(['a', 'b'].map((name) => service.delete_agent({ name })));
    store.finish();
    expect(kinds(store)).toEqual([]);
  });

  it('does not wait for it when another release uses the source', async () => {
    const store = flux('sre', 'other');
    const { seen, service } = waiting(store);
    expect(await service.delete_agent({ name: 'sre' })).toMatchObject({
      value: { ociRepositoryKept: 'still referenced by 1 other HelmRelease(s): other' },
    });
    expect(seen).toEqual([]);
  });

  it('refuses to change its release, with force too', async () => {
    const store = flux('sre');
    await store.deleteRelease({ namespace: 'default', name: 'sre' });
    const { service } = waiting(store);
    const change = { name: 'sre', description: 'x', force: true };
    expect(await service.update_agent(change)).toEqual(
      refuse(
        'conflict',
        'HelmRelease default/sre is being deleted; try again when it is gone, or pick another name',
      ),
    );
  });
});

describe('a creation while the source is being deleted', () => {
  const deletedSource = async (): Promise<MemoryStore> => {
    const store = flux();
    await store.deleteSource(SOURCE.metadata);
    return store;
  };

  it('creates a source that stays when the former one is gone', async () => {
    const store = await deletedSource();
    const { service } = waiting(store);
    expect(await service.create_agent({ name: 'new', ...NEW })).toMatchObject({
      value: { created: { ociRepository: true, helmRelease: true } },
    });
    store.finish();
    expect(kinds(store)).toEqual(['OCIRepository agent', 'HelmRelease new']);
  });

  it('is refused after five seconds, and writes nothing', async () => {
    const store = await deletedSource();
    const { service } = waiting(store, Infinity);
    expect(await service.create_agent({ name: 'new', ...NEW })).toEqual(
      refuse('conflict', 'OCIRepository default/agent is being deleted; try again when it is gone'),
    );
    store.finish();
    expect(kinds(store)).toEqual([]);
  });

  it('is refused when the deletion of its release began after the validation', async () => {
    const store = flux('sre');
    await store.deleteRelease({ namespace: 'default', name: 'sre' });
    let isHidden = true;
    const racing = {
      ...store,
      getRelease: async (name: Parameters<typeof store.getRelease>[0]) => {
        const read = await store.getRelease(name);
        return isHidden ? ({ ok: true, value: undefined } as const) : read;
      },
      createRelease: (given: KubernetesObject) => {
        isHidden = false;
        return store.createRelease(given);
      },
    };
    const service = createAgentService(serviceParts({ store: racing }));
    expect(await service.create_agent({ name: 'sre', ...NEW })).toEqual(
      refuse(
        'conflict',
        'HelmRelease default/sre is being deleted; try again when it is gone, or pick another name',
      ),
    );
  });
});
