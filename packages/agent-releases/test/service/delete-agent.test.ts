import { refuse, type DeleteResult } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgentService, type AgentStore } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore, type MemoryStore } from '../support/memory-store.ts';
import { serviceParts } from '../support/service-parts.ts';

const NAMESPACES = ['default', 'team-a'] as const;

const createSkillSource = (labels: Record<string, string> = {}): KubernetesObject => ({
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'OCIRepository',
  metadata: { name: 'agent', namespace: 'default', labels },
  spec: { url: 'oci://registry.gateway.internal/charts/agent', secretRef: { name: 'pull' } },
});

const release = (name: string, more: object = {}): KubernetesObject => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { name, namespace: 'default' },
  spec: { chartRef: { kind: 'OCIRepository', name: 'agent' }, ...more },
});

const agentOf = (name: string, labels: Record<string, string> = {}): KubernetesObject => ({
  apiVersion: 'kagent.dev/v1alpha2',
  kind: 'Agent',
  metadata: { name, namespace: 'default', labels },
});

const deleteFrom = async (
  store: AgentStore,
  given: { readonly name: string; readonly force?: boolean } = { name: 'sre' },
) => createAgentService(serviceParts({ store, namespaces: [...NAMESPACES] })).delete_agent(given);

const kinds = (store: MemoryStore): readonly string[] =>
  store
    .contents()
    .map(({ kind, metadata }) => `${kind ?? ''} ${metadata.name}`)
    .sort();

const done = (more: Partial<DeleteResult>) => ({
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

const retained = (sentence: string) => done({ ociRepositoryKept: sentence });

describe('delete_agent and the release', () => {
  it('deletes the release and leaves the Agent to Flux', async () => {
    const store = memoryStore({ objects: [createSkillSource(), release('sre'), agentOf('sre')] });
    expect(await deleteFrom(store)).toEqual(done({ ociRepositoryDeleted: true }));
    expect(kinds(store)).toEqual(['Agent sre']);
  });

  it('deletes the release that Flux notes on the Agent', async () => {
    const owner = {
      'helm.toolkit.fluxcd.io/name': 'other',
      'helm.toolkit.fluxcd.io/namespace': 'default',
    };
    const store = memoryStore({
      objects: [release('other', { chartRef: {} }), release('sre'), agentOf('sre', owner)],
    });
    expect(await deleteFrom(store)).toEqual(
      retained('the HelmRelease does not render from an OCIRepository'),
    );
    expect(kinds(store)).toEqual(['Agent sre', 'HelmRelease sre']);
  });

  it('is not found the second time', async () => {
    const store = memoryStore({ objects: [createSkillSource(), release('sre')] });
    await deleteFrom(store);
    expect(await deleteFrom(store)).toEqual(refuse('not_found', 'agent default/sre'));
  });

  it('succeeds when another client deletes the release meanwhile', async () => {
    const store = memoryStore({ objects: [release('sre')] });
    const late = {
      ...store,
      deleteRelease: () => Promise.resolve({ ok: true, value: false } as const),
    };
    expect(await deleteFrom(late)).toEqual({
      ...retained('no OCIRepository to delete'),
      value: { ...retained('no OCIRepository to delete').value, helmReleaseDeleted: false },
    });
  });

  it('takes the Agent of a suspended release along, with force', async () => {
    const suspended = release('sre', { suspend: true });
    const store = memoryStore({ objects: [createSkillSource(), suspended, agentOf('sre')] });
    expect(await deleteFrom(store, { name: 'sre', force: true })).toEqual(
      done({ agentDeleted: true, ociRepositoryDeleted: true }),
    );
    expect(kinds(store)).toEqual([]);
  });

  it('deletes nothing when the Agent of a suspended release cannot be deleted', async () => {
    const objects = [createSkillSource(), release('sre', { suspend: true }), agentOf('sre')];
    const store = memoryStore({ objects });
    const refusing = { ...store, deleteAgent: () => Promise.resolve(refuse('forbidden', 'no')) };
    expect(await deleteFrom(refusing, { name: 'sre', force: true })).toEqual(
      refuse('forbidden', 'no'),
    );
    expect(store.contents()).toEqual(objects);
  });

  it('deletes a release that a Git repository owns, with force', async () => {
    const fromGit = release('sre');
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' };
    const store = memoryStore({
      objects: [{ ...fromGit, metadata: { ...fromGit.metadata, labels } }],
    });
    expect(await deleteFrom(store, { name: 'sre', force: true })).toEqual(
      retained('no OCIRepository to delete'),
    );
  });

  it('deletes an Agent without a release, with force', async () => {
    const store = memoryStore({ objects: [createSkillSource(), agentOf('sre')] });
    expect(await deleteFrom(store, { name: 'sre', force: true })).toEqual({
      ok: true,
      value: {
        name: 'sre',
        namespace: 'default',
        helmReleaseDeleted: false,
        agentDeleted: true,
        ociRepositoryDeleted: false,
        ociRepositoryKept: 'no OCIRepository to delete',
      },
    });
    expect(kinds(store)).toEqual(['OCIRepository agent']);
  });
});

describe('delete_agent and the source', () => {
  it('keeps a source that others reference, and names them', async () => {
    const store = memoryStore({
      objects: [
        createSkillSource(),
        release('b'),
        release('a'),
        release('sre'),
        release('c', { chartRef: {} }),
      ],
    });
    expect(await deleteFrom(store)).toEqual(
      retained('still referenced by 2 other HelmRelease(s): a, b'),
    );
    expect(kinds(store)).toContain('OCIRepository agent');
  });

  it('names no more than fifty', async () => {
    const names = Array.from({ length: 53 }, (_, index) => `a${index + 10}`);
    const store = memoryStore({
      objects: [createSkillSource(), release('sre'), ...names.map((n) => release(n))],
    });
    const answer = await deleteFrom(store);
    expect(answer.ok && answer.value.ociRepositoryKept).toMatch(
      /^still referenced by 53 other HelmRelease\(s\): a10, .*, a59, … \(3 more\)$/,
    );
  });

  it('keeps a source in another namespace', async () => {
    const chartRef = { kind: 'OCIRepository', name: 'agent', namespace: 'team-a' };
    const store = memoryStore({ objects: [release('sre', { chartRef })] });
    expect(await deleteFrom(store)).toEqual(
      retained('the OCIRepository is in another namespace, for others to delete: team-a'),
    );
  });

  it('keeps a source that a Git repository would bring back', async () => {
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' };
    const store = memoryStore({ objects: [createSkillSource(labels), release('sre')] });
    expect(await deleteFrom(store)).toEqual(
      retained('the OCIRepository is applied by Flux Kustomization "flux-system"'),
    );
  });

  it.each([
    [
      { deleteSource: () => Promise.resolve(refuse('forbidden', 'sources are not yours')) },
      'delete refused: sources are not yours',
    ],
    [
      { listReleases: () => Promise.resolve(refuse('backend_error', 'no answer')) },
      'could not list the other HelmReleases of the namespace: no answer',
    ],
    [
      { deleteSource: () => Promise.resolve({ ok: true, value: false } as const) },
      'no OCIRepository to delete',
    ],
  ])('is done although the source is not deleted (%#)', async (broken, sentence) => {
    const store = memoryStore({ objects: [createSkillSource(), release('sre')] });
    expect(await deleteFrom({ ...store, ...broken })).toEqual(retained(sentence));
    expect(kinds(store)).toEqual(['OCIRepository agent']);
  });
});

/** A store in which a call is followed by something else before its answer arrives. */
const interrupted = (
  store: MemoryStore,
  call: 'listReleases' | 'deleteSource' | 'createRelease',
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
  const created = { name: 'new', modelConfig: 'any', toolset: ['preset:none'] };
  const open = () =>
    memoryStore({
      objects: [createSkillSource({ kept: 'label' }), release('sre')],
      takesAnyModel: true,
    });
  const create = (store: AgentStore) =>
    createAgentService(serviceParts({ store, namespaces: [...NAMESPACES] })).create_agent(created);

  it('restores the source when a release was created after the releases were listed', async () => {
    const store = open();
    const racing = interrupted(store, 'listReleases', () => store.createRelease(release('new')));
    expect(await deleteFrom(racing)).toEqual(
      retained('still referenced by 1 other HelmRelease(s): new'),
    );
    expect(store.contents()).toContainEqual(createSkillSource({ kept: 'label' }));
  });

  it('reports the source as deleted when it cannot be restored', async () => {
    const store = open();
    const racing = {
      ...interrupted(store, 'listReleases', () => store.createRelease(release('new'))),
      createSource: () => Promise.resolve(refuse('forbidden', 'no')),
    };
    expect(await deleteFrom(racing)).toEqual(done({ ociRepositoryDeleted: true }));
  });

  it('restores the source when its users cannot be listed', async () => {
    const store = open();
    let listed = 0;
    const racing: AgentStore = {
      ...store,
      listReleases: (namespace) =>
        (listed += 1) === 1
          ? store.listReleases(namespace)
          : Promise.resolve(refuse('backend_error', 'no answer')),
    };
    expect(await deleteFrom(racing)).toEqual(
      retained('could not list the other HelmReleases of the namespace: no answer'),
    );
    expect(kinds(store)).toEqual(['OCIRepository agent']);
  });

  it('creates a source also when the last other agent is deleted while the release is written', async () => {
    const store = open();
    const racing = {
      ...store,
      createRelease: async (given: KubernetesObject) => {
        await deleteFrom(store);
        return store.createRelease(given);
      },
    };
    expect(await create(racing)).toMatchObject({
      ok: true,
      value: { created: { ociRepository: true, helmRelease: true } },
    });
    expect(kinds(store)).toEqual(['HelmRelease new', 'OCIRepository agent']);
  });

  it('keeps the source when a whole creation falls into a deletion', async () => {
    const store = open();
    const racing = interrupted(store, 'deleteSource', () => create(store));
    expect(await deleteFrom(racing)).toEqual(
      retained('still referenced by 1 other HelmRelease(s): new'),
    );
    expect(kinds(store)).toEqual(['HelmRelease new', 'OCIRepository agent']);
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
        expect(kinds(store)).toEqual(['HelmRelease new', 'OCIRepository agent']);
      }),
      { numRuns: 60 },
    );
  });
});
