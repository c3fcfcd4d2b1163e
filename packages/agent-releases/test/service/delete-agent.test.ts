import { refuse, type DeleteResult } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentStore } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore, type MemoryStore } from '../support/memory-store.ts';
import {
  agent,
  createService,
  FROM_GIT,
  listContents,
  object,
  release,
} from '../support/service-parts.ts';

const NAMESPACES = ['default', 'team-a'] as const;
const SOURCE_SPEC = {
  url: 'oci://registry.gateway.internal/charts/agent',
  secretRef: { name: 'pull' },
};
const source = (metadata = {}) => object('OCIRepository', 'agent', SOURCE_SPEC, metadata);
const storeOf = (...objects: readonly KubernetesObject[]) => memoryStore({ objects });

const serviceOf = (store: AgentStore) => createService({ store, namespaces: [...NAMESPACES] });
const deleteFrom = (store: AgentStore, given = {}) =>
  serviceOf(store).delete_agent({ name: 'sre', ...given });
const FORCE = { force: true };

const kinds = (store: MemoryStore) => listContents(store).toSorted();

const done = (more: Partial<DeleteResult> = {}) => ({
  ok: true,
  value: {
    name: 'sre',
    namespace: 'default',
    helmReleaseDeleted: true,
    agentDeleted: false,
    ociRepositoryDeleted: false,
    ...more,
  },
});
const kept = (ociRepositoryKept: string, more: Partial<DeleteResult> = {}) =>
  done({ ociRepositoryKept, ...more });
const NO_SOURCE = 'no OCIRepository to delete';
const SOURCE_DELETED = { ociRepositoryDeleted: true };

const refusing = (code: 'forbidden' | 'backend_error', message: string) => () =>
  Promise.resolve(refuse(code, message));
const absent = () => Promise.resolve({ ok: true, value: false } as const);

describe('delete_agent and the release', () => {
  it('deletes the release and leaves the Agent to Flux, and is not found the second time', async () => {
    const store = storeOf(source(), release('sre'), agent('sre'));
    expect(await deleteFrom(store)).toEqual(done(SOURCE_DELETED));
    expect(kinds(store)).toEqual(['Agent sre']);
    const gone = storeOf(source());
    expect(await deleteFrom(gone)).toEqual(refuse('not_found', 'agent default/sre'));
  });

  it('deletes the release that Flux notes on the Agent', async () => {
    const other = release('other', { chartRef: {} });
    const store = storeOf(other, release('sre'), agent('sre', 'other'));
    expect(await deleteFrom(store)).toEqual(
      kept('the HelmRelease does not render from an OCIRepository'),
    );
    expect(kinds(store)).toEqual(['Agent sre', 'HelmRelease sre']);
  });

  it('succeeds when another client deletes the release meanwhile', async () => {
    const late = { ...storeOf(release('sre')), deleteRelease: absent };
    expect(await deleteFrom(late)).toEqual(kept(NO_SOURCE, { helmReleaseDeleted: false }));
  });

  it('takes the Agent of a suspended release along, with force', async () => {
    const store = storeOf(source(), release('sre', { suspend: true }), agent('sre'));
    expect(await deleteFrom(store, FORCE)).toEqual(done({ agentDeleted: true, ...SOURCE_DELETED }));
    expect(kinds(store)).toEqual([]);
  });

  it('deletes nothing when the Agent of a suspended release cannot be deleted', async () => {
    const objects = [source(), release('sre', { suspend: true }), agent('sre')];
    const store = storeOf(...objects);
    const answer = await deleteFrom({ ...store, deleteAgent: refusing('forbidden', 'no') }, FORCE);
    expect(answer).toEqual(refuse('forbidden', 'no'));
    expect(store.contents()).toEqual(objects);
  });

  it('deletes a release that a Git repository owns, with force', async () => {
    const store = storeOf(release('sre', {}, FROM_GIT));
    expect(await deleteFrom(store, FORCE)).toEqual(kept(NO_SOURCE));
  });

  it('deletes an Agent without a release, with force', async () => {
    const store = storeOf(source(), agent('sre'));
    expect(await deleteFrom(store, FORCE)).toEqual(
      kept(NO_SOURCE, { helmReleaseDeleted: false, agentDeleted: true }),
    );
    expect(kinds(store)).toEqual(['OCIRepository agent']);
  });
});

describe('delete_agent and the source', () => {
  const many = Array.from({ length: 53 }, (_, index) => release(`a${index + 10}`));
  const elsewhere = { chartRef: { kind: 'OCIRepository', name: 'agent', namespace: 'team-a' } };

  it.each([
    [
      'that others reference, and names them',
      [source(), release('b'), release('a'), release('c', { chartRef: {} }), release('sre')],
      /^still referenced by 2 other HelmRelease\(s\): a, b$/u,
    ],
    [
      'that others reference, and names no more than fifty',
      [source(), release('sre'), ...many],
      /^still referenced by 53 other HelmRelease\(s\): a10, .*, a59, … \(3 more\)$/u,
    ],
    [
      'in another namespace',
      [source(), release('sre', elsewhere)],
      /^the OCIRepository is in another namespace, for others to delete: team-a$/u,
    ],
    [
      'that a Git repository would bring back',
      [source(FROM_GIT), release('sre')],
      /^the OCIRepository is applied by Flux Kustomization "flux-system"$/u,
    ],
  ])('keeps a source %s', async (_which, objects, sentence) => {
    const store = storeOf(...objects);
    expect(await deleteFrom(store)).toEqual(
      kept(expect.stringMatching(sentence) as unknown as string),
    );
    expect(kinds(store)).toContain('OCIRepository agent');
  });

  it.each([
    [
      { deleteSource: refusing('forbidden', 'sources are not yours') },
      'delete refused: sources are not yours',
    ],
    [
      { listReleases: refusing('backend_error', 'no answer') },
      'could not list the other HelmReleases of the namespace: no answer',
    ],
    [{ deleteSource: absent }, NO_SOURCE],
  ])('is done although the source is not deleted (%#)', async (broken, sentence) => {
    const store = storeOf(source(), release('sre'));
    expect(await deleteFrom({ ...store, ...broken })).toEqual(kept(sentence));
    expect(kinds(store)).toEqual(['OCIRepository agent']);
  });
});

/** A store in which the first call is followed by something else before its answer arrives. */
const interrupted = (
  store: MemoryStore,
  call: 'listReleases' | 'deleteSource',
  then: () => Promise<unknown>,
): AgentStore => {
  let isFirst = true;
  const original = store[call] as (given: never) => Promise<unknown>;
  return {
    ...store,
    [call]: async (given: never) => {
      const answer = await original(given);
      if (isFirst) {
        isFirst = false;
        await then();
      }
      return answer;
    },
  };
};

describe('a deletion and a creation at once', () => {
  const LABELLED = source({ labels: { kept: 'label' } });
  const open = () => memoryStore({ objects: [LABELLED, release('sre')], takesAnyModel: true });
  const create = (store: AgentStore) =>
    serviceOf(store).create_agent({ name: 'new', modelConfig: 'any', toolset: ['preset:none'] });
  const createWhileListing = (store: MemoryStore) =>
    interrupted(store, 'listReleases', () => store.createRelease(release('new')));
  const USED = kept('still referenced by 1 other HelmRelease(s): new');
  const BOTH = ['HelmRelease new', 'OCIRepository agent'];

  it('restores the source when a release was created after the releases were listed', async () => {
    const store = open();
    expect(await deleteFrom(createWhileListing(store))).toEqual(USED);
    expect(store.contents()).toContainEqual(LABELLED);
  });

  it('reports the source as deleted when it cannot be restored', async () => {
    const racing = { ...createWhileListing(open()), createSource: refusing('forbidden', 'no') };
    expect(await deleteFrom(racing)).toEqual(done(SOURCE_DELETED));
  });

  it('restores the source when its users cannot be listed', async () => {
    const store = open();
    let listed = 0;
    const refuseList = refusing('backend_error', 'no answer');
    const listReleases: AgentStore['listReleases'] = (namespace) =>
      (listed += 1) === 1 ? store.listReleases(namespace) : refuseList();
    expect(await deleteFrom({ ...store, listReleases })).toEqual(
      kept('could not list the other HelmReleases of the namespace: no answer'),
    );
    expect(kinds(store)).toEqual(['OCIRepository agent']);
  });

  it('creates a source also when the last other agent is deleted while the release is written', async () => {
    const store = open();
    const createRelease = async (given: KubernetesObject) => {
      await deleteFrom(store);
      return store.createRelease(given);
    };
    expect(await create({ ...store, createRelease })).toMatchObject({
      value: { created: { ociRepository: true, helmRelease: true } },
    });
    expect(kinds(store)).toEqual(BOTH);
  });

  it('keeps the source when a whole creation falls into a deletion', async () => {
    const store = open();
    const racing = interrupted(store, 'deleteSource', () => create(store));
    expect(await deleteFrom(racing)).toEqual(USED);
    expect(kinds(store)).toEqual(BOTH);
  });

  it('leaves no release without its source, however their steps mix', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const store = open();
        const mixed = Object.fromEntries(
          Object.entries(store).map(([name, call]) => [
            name,
            scheduler.scheduleFunction(call as (...given: never[]) => Promise<unknown>),
          ]),
        ) as unknown as AgentStore;
        await scheduler.waitFor(Promise.all([deleteFrom(mixed), create(mixed)]));
        expect(kinds(store)).toEqual(BOTH);
      }),
      { numRuns: 60 },
    );
  });
});
