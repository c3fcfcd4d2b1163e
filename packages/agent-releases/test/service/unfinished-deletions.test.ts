import { refuse } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore, type MemoryStore } from '../support/memory-store.ts';
import { createService, listContents, object, release } from '../support/service-parts.ts';

const URL = 'oci://registry.gateway.internal/charts/agent';
const SOURCE = object('OCIRepository', 'agent', { url: URL });

const flux = (...names: readonly string[]) =>
  memoryStore({
    objects: [SOURCE, ...names.map((name) => release(name, { values: { agent: { name } } }))],
    takesAnyModel: true,
    hasFinalizers: true,
  });

/** A service for which Flux finishes deletions while it waits for the third time. */
const waiting = (store: MemoryStore, finishesAt = 3) => {
  const seen: (readonly string[])[] = [];
  const wait = (milliseconds: number): Promise<void> => {
    expect(milliseconds).toBe(250);
    seen.push(listContents(store));
    if (seen.length === finishesAt) store.finish();
    return Promise.resolve();
  };
  return { seen, service: createService({ store, wait }) };
};

const NEW = { modelConfig: 'any', toolset: ['preset:none'] };
const BEING_DELETED = refuse(
  'conflict',
  'HelmRelease default/sre is being deleted; try again when it is gone, or pick another name',
);

describe('a deletion that Flux has not finished', () => {
  it('keeps the source until the release is gone, and then deletes it', async () => {
    const store = flux('sre');
    const { seen, service } = waiting(store);
    expect(await service.delete_agent({ name: 'sre' })).toMatchObject({
      value: { helmReleaseDeleted: true, ociRepositoryDeleted: true },
    });
    expect(seen).toEqual(Array(3).fill(['OCIRepository agent', 'HelmRelease sre']));
    store.finish();
    expect(listContents(store)).toEqual([]);
  });

  it.each([
    [['sre'], 'Flux still removes 1 HelmRelease(s) that reference it: sre', 19],
    // Another release uses the source: there is nothing to wait for.
    [['sre', 'other'], 'still referenced by 1 other HelmRelease(s): other', 0],
  ])(
    'leaves the source after five seconds, and says which release uses it: %j',
    async (names, ociRepositoryKept, waits) => {
      const store = flux(...names);
      const { seen, service } = waiting(store, Infinity);
      expect(await service.delete_agent({ name: 'sre' })).toMatchObject({
        value: { ociRepositoryDeleted: false, ociRepositoryKept },
      });
      expect(seen).toHaveLength(waits);
      expect(store.contents()).toContainEqual(SOURCE);
    },
  );

  it('of two agents at once deletes the source after both', async () => {
    const store = flux('a', 'b');
    const { service } = waiting(store);
    await Promise.all(['a', 'b'].map((name) => service.delete_agent({ name })));
    store.finish();
    expect(listContents(store)).toEqual([]);
  });

  it('refuses to change its release, with force too', async () => {
    const store = flux('sre');
    await store.deleteRelease({ namespace: 'default', name: 'sre' });
    const { service } = waiting(store);
    const change = { name: 'sre', description: 'x', force: true };
    expect(await service.update_agent(change)).toEqual(BEING_DELETED);
  });
});

describe('a creation while the source is being deleted', () => {
  const createDuringDeletion = async (finishesAt?: number) => {
    const store = flux();
    await store.deleteSource(SOURCE.metadata);
    const answer = await waiting(store, finishesAt).service.create_agent({ name: 'new', ...NEW });
    store.finish();
    return { answer, contents: listContents(store) };
  };

  it('creates a source that stays when the former one is gone', async () => {
    expect(await createDuringDeletion()).toMatchObject({
      answer: { value: { created: { ociRepository: true, helmRelease: true } } },
      contents: ['OCIRepository agent', 'HelmRelease new'],
    });
  });

  it('is refused after five seconds, and writes nothing', async () => {
    const problem = 'OCIRepository default/agent is being deleted; try again when it is gone';
    expect(await createDuringDeletion(Infinity)).toEqual({
      answer: refuse('conflict', problem),
      contents: [],
    });
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
    const service = createService({ store: racing });
    expect(await service.create_agent({ name: 'sre', ...NEW })).toEqual(BEING_DELETED);
  });
});
