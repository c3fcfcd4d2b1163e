import type { ClientOutcome } from '@gateway/agent-manager-client';
import type {
  AgentStore,
  HelmRelease,
  Json,
  ModelConfig,
  ObjectName,
  StoreChange,
  Stored,
} from '../../src/store/agent-store.ts';
import { describe, expect, it, vi } from 'vitest';
import { toName, modelConfig, NAMESPACE, releaseOf, chartSource } from './sample-objects.ts';

/** Changes the data without any of these stores. Resolves when the change is done. */
export interface Outsider {
  /** Creates or replaces. */
  readonly writeRelease: (release: HelmRelease) => Promise<void>;
  readonly deleteRelease: (name: ObjectName) => Promise<void>;
  readonly writeModelConfig: (model: ModelConfig) => Promise<void>;
}

/** An empty store of the namespaces `default` and `tenant`, and who else is at its data. The test's end closes all. */
export interface StoreUnderTest {
  readonly store: AgentStore;
  /** A store of the same data of its own, as another process has. */
  readonly another: () => Promise<AgentStore>;
  readonly outsider: Outsider;
}

/** Which adapter of the port. */
export interface Adapter {
  readonly name: string;
  readonly open: () => Promise<StoreUnderTest>;
  /** The names that a namespace without models accepts: every name, or none. */
  readonly isOpenWithoutModels: boolean;
}

/** The value of an answer that must be none of refusal. */
export const valueOf = <T>(answer: ClientOutcome<T>): T => {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value;
};

/** The code of the refusal that an answer must be. */
export const codeOf = (answer: ClientOutcome<unknown>): string =>
  answer.ok ? `accepted ${JSON.stringify(answer.value)}` : answer.error.code;

/** The answer that an operation was accepted with this value. */
export const accepted = <T>(value: T) => ({ ok: true, value }) as const;
const ABSENT = accepted(undefined);

const SRE = toName('sre');
const SOURCE = chartSource('agent');
const SOURCE_NAME = toName('agent');

const formatReleaseNames = (releases: readonly Stored<HelmRelease>[]): readonly string[] =>
  releases.map(({ object }) => object.metadata.name);

const found = async (store: AgentStore, name: ObjectName): Promise<Stored<HelmRelease>> => {
  const release = valueOf(await store.getRelease(name));
  if (release === undefined) throw new Error(`${name.name} is not there`);
  return release;
};

const readReleaseValues = ({ object }: Stored<HelmRelease>): Json =>
  (object.spec?.['values'] ?? {}) as Json;

const countOf = (release: Stored<HelmRelease>): number =>
  Number(readReleaseValues(release)['count'] ?? 0);

/** Adds one, again and again until the store takes it. @returns how often it was refused */
const increment = async (store: AgentStore, name: ObjectName): Promise<number> => {
  for (let conflicts = 0; ; conflicts += 1) {
    const before = await found(store, name);
    const release = releaseOf(name.name, { count: countOf(before) + 1 }, name.namespace);
    const answer = await store.replaceRelease(release, before.revision);
    if (answer.ok) return conflicts;
    expect(answer.error.code).toBe('conflict');
  }
};

const releases = ({ open }: Adapter): void => {
  it('are none at first', async () => {
    const { store } = await open();
    expect(await store.listReleases(NAMESPACE)).toEqual(accepted([]));
    expect(await store.getRelease(SRE)).toEqual(ABSENT);
    expect(await store.deleteRelease(SRE)).toEqual(accepted(false));
  });
  it('are there once they are created, sorted by name, each in its namespace', async () => {
    const { store } = await open();
    for (const name of ['sre', 'b-2', 'b', 'constructor']) {
      const created = valueOf(await store.createRelease(releaseOf(name)));
      expect(created.object).toMatchObject(releaseOf(name));
      expect(await found(store, toName(name))).toEqual(created);
    }
    const elsewhere = releaseOf('sre', { of: 'tenant' }, 'tenant');
    valueOf(await store.createRelease(elsewhere));
    const listed = valueOf(await store.listReleases(NAMESPACE));
    expect(formatReleaseNames(listed)).toEqual(['b', 'b-2', 'constructor', 'sre']);
    expect(listed.at(-1)?.object).toMatchObject(releaseOf('sre'));
    expect(formatReleaseNames(valueOf(await store.listReleases('tenant')))).toEqual(['sre']);
  });
  it('are not created over one of this name', async () => {
    const { store } = await open();
    const first = valueOf(await store.createRelease(releaseOf('sre', { of: 'first' })));
    expect(codeOf(await store.createRelease(releaseOf('sre', { of: 'second' })))).toBe('conflict');
    expect(await found(store, SRE)).toEqual(first);
  });
  it('are replaced at the revision that was read, and at no other', async () => {
    const { store } = await open();
    const first = valueOf(await store.createRelease(releaseOf('sre')));
    const second = releaseOf('sre', { count: 2 });
    const replaced = valueOf(await store.replaceRelease(second, first.revision));
    expect(replaced.object).toMatchObject(second);
    expect(replaced.revision).not.toBe(first.revision);
    const third = releaseOf('sre', { count: 3 });
    expect(codeOf(await store.replaceRelease(third, first.revision))).toBe('conflict');
    expect(await found(store, SRE)).toEqual(replaced);
    valueOf(await store.replaceRelease(third, replaced.revision));
    expect(countOf(await found(store, SRE))).toBe(3);
  });
  it('are deleted once, and not replaced then', async () => {
    const { store } = await open();
    const { revision } = valueOf(await store.createRelease(releaseOf('sre')));
    expect(await store.deleteRelease(SRE)).toEqual(accepted(true));
    expect(await store.deleteRelease(SRE)).toEqual(accepted(false));
    expect(await store.getRelease(SRE)).toEqual(ABSENT);
    expect(await store.listReleases(NAMESPACE)).toEqual(accepted([]));
    expect(codeOf(await store.replaceRelease(releaseOf('sre'), revision))).toBe('conflict');
    valueOf(await store.createRelease(releaseOf('sre')));
  });
  it('keep values of any name', async () => {
    const { store } = await open();
    const values = '{"__proto__":{"a":1},"constructor":"b","\\ud83d\\ude80":null}';
    const release = releaseOf('sre', JSON.parse(values) as Json);
    const created = readReleaseValues(valueOf(await store.createRelease(release)));
    const stored = readReleaseValues(await found(store, SRE));
    expect(JSON.stringify(stored)).toBe(JSON.stringify(created));
    expect(Object.hasOwn(created, '__proto__')).toBe(true);
  });
  it('are the same objects while they do not change', async () => {
    const { store, outsider } = await open();
    for (const name of ['a', 'b']) await outsider.writeRelease(releaseOf(name));
    const [a, b] = valueOf(await store.listReleases(NAMESPACE));
    await outsider.writeRelease(releaseOf('b', { count: 1 }));
    const [sameA, otherB] = valueOf(await store.listReleases(NAMESPACE));
    expect(sameA).toBe(a);
    expect(otherB).not.toEqual(b);
  });
};

const outsiders = ({ open }: Adapter): void => {
  it('are seen by the next read', async () => {
    const { store, outsider } = await open();
    await outsider.writeRelease(releaseOf('a'));
    const { revision } = await found(store, toName('a'));
    for (let count = 1; count <= 5; count += 1) {
      await outsider.writeRelease(releaseOf('a', { count }));
      await outsider.writeRelease(releaseOf(`b${String(count)}`));
      expect(countOf(await found(store, toName('a')))).toBe(count);
      const listed = valueOf(await store.listReleases(NAMESPACE));
      expect(listed.map(countOf)[0]).toBe(count);
      expect(listed).toHaveLength(1 + count);
    }
    expect(codeOf(await store.replaceRelease(releaseOf('a'), revision))).toBe('conflict');
    expect(codeOf(await store.createRelease(releaseOf('b1')))).toBe('conflict');
    await outsider.deleteRelease(toName('b1'));
    expect(await store.getRelease(toName('b1'))).toEqual(ABSENT);
    expect(formatReleaseNames(valueOf(await store.listReleases(NAMESPACE)))).not.toContain('b1');
  });
  it('keep their fields when agent-manager writes its own', async () => {
    const { store, outsider } = await open();
    const theirs = { ...releaseOf('a'), spec: { ...releaseOf('a').spec, suspend: true } };
    await outsider.writeRelease(theirs);
    const { object, revision } = await found(store, toName('a'));
    expect(object.spec).toEqual(theirs.spec);
    const spec = { ...object.spec, values: { agent: { name: 'a' } } };
    const replaced = valueOf(await store.replaceRelease({ ...object, spec }, revision));
    expect(replaced.object.spec).toEqual({ ...theirs.spec, values: { agent: { name: 'a' } } });
    expect(await found(store, toName('a'))).toEqual(replaced);
  });
};

const races = ({ open }: Adapter): void => {
  it('to create one name have one winner', async () => {
    const { store, another } = await open();
    const other = await another();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, by) =>
        (by % 2 === 0 ? store : other).createRelease(releaseOf('sre', { by })),
      ),
    );
    const won = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
    expect(answers.map(codeOf).filter((code) => code === 'conflict')).toHaveLength(7);
    expect(won).toEqual([await found(store, SRE)]);
  });
  it('to change one release lose no change that was taken', async () => {
    const { store, another } = await open();
    const other = await another();
    valueOf(await store.createRelease(releaseOf('sre', { count: 0 })));
    const rounds = async (by: AgentStore): Promise<void> => {
      for (let round = 0; round < 5; round += 1) await increment(by, SRE);
    };
    await Promise.all([store, other, store, other].map(rounds));
    expect(countOf(await found(store, SRE))).toBe(20);
    expect(countOf(await found(other, SRE))).toBe(20);
  });
};

const sources = ({ open }: Adapter): void => {
  it('are created once and stay as they are', async () => {
    const { store } = await open();
    expect(await store.getSource(SOURCE_NAME)).toEqual(ABSENT);
    expect(await store.createSource(SOURCE)).toEqual(accepted(true));
    const other = { ...SOURCE, spec: { ...SOURCE.spec, url: 'oci://elsewhere.example/agent' } };
    expect(await store.createSource(other)).toEqual(accepted(false));
    // The definition of Flux adds defaults.
    expect(valueOf(await store.getSource(SOURCE_NAME))).toMatchObject(SOURCE);
    expect(await store.getSource(toName('agent', 'tenant'))).toEqual(ABSENT);
  });
  it('are deleted once', async () => {
    const { store } = await open();
    valueOf(await store.createSource(SOURCE));
    expect(await store.deleteSource(SOURCE_NAME)).toEqual(accepted(true));
    expect(await store.deleteSource(SOURCE_NAME)).toEqual(accepted(false));
    expect(await store.getSource(SOURCE_NAME)).toEqual(ABSENT);
  });
};

const models = ({ open, isOpenWithoutModels }: Adapter): void => {
  it('are those of the namespace, as they are now', async () => {
    const { store, outsider } = await open();
    expect(valueOf(await store.modelConfigs(NAMESPACE))).toEqual({
      listed: [],
      isOpen: isOpenWithoutModels,
    });
    for (const name of ['sonnet', 'haiku']) await outsider.writeModelConfig(modelConfig(name));
    await outsider.writeModelConfig(modelConfig('opus', 'tenant'));
    const { listed, isOpen } = valueOf(await store.modelConfigs(NAMESPACE));
    expect(listed.map(({ metadata }) => metadata.name)).toEqual(['haiku', 'sonnet']);
    expect(listed[1]).toMatchObject(modelConfig('sonnet'));
    expect(isOpen).toBe(false);
    const spec = { provider: 'OpenAI', model: 'other' };
    await outsider.writeModelConfig({ ...modelConfig('sonnet'), spec });
    expect(valueOf(await store.modelConfigs(NAMESPACE)).listed[1]?.spec).toEqual(spec);
  });
};

const watching = ({ open }: Adapter): void => {
  it('reports every change of any client, until it ends', async () => {
    const { store, outsider } = await open();
    const changes: StoreChange[] = [];
    const end = store.watch([NAMESPACE], (change) => changes.push(change));
    const sees = (kind: StoreChange['kind'], name: string, change: StoreChange['change']) =>
      vi.waitFor(() => {
        expect(changes).toContainEqual({ kind, object: toName(name), change });
      }, 60_000);
    valueOf(await store.createRelease(releaseOf('a')));
    await sees('HelmRelease', 'a', 'written');
    await outsider.writeRelease(releaseOf('b'));
    await sees('HelmRelease', 'b', 'written');
    valueOf(await store.createSource(SOURCE));
    await sees('OCIRepository', 'agent', 'written');
    valueOf(await store.deleteRelease(toName('a')));
    await sees('HelmRelease', 'a', 'deleted');
    valueOf(await store.createRelease(releaseOf('c', {}, 'tenant')));
    await outsider.deleteRelease(toName('b'));
    await sees('HelmRelease', 'b', 'deleted');
    expect(changes.filter(({ object }) => object.namespace !== NAMESPACE)).toEqual([]);
    end();
    const count = changes.length;
    valueOf(await store.createRelease(releaseOf('d')));
    valueOf(await store.listReleases(NAMESPACE));
    expect(changes).toHaveLength(count);
  });
};

/** The tests of every adapter of the port. */
export const agentStoreSuite = (adapter: Adapter): void => {
  const { name, open } = adapter;
  describe.each<[string, (adapter: Adapter) => void]>([
    [`releases in ${name}`, releases],
    [`changes from outside in ${name}`, outsiders],
    [`races in ${name}`, races],
    [`sources in ${name}`, sources],
    [`models in ${name}`, models],
    [`watching ${name}`, watching],
  ])('%s', (_part, define) => {
    define(adapter);
  });
  it(`reports that ${name} is reachable, until it is closed`, async () => {
    const { store } = await open();
    expect(await store.check()).toEqual(accepted(true));
    await store.close();
    expect(codeOf(await store.check())).toBe('backend_error');
    expect(codeOf(await store.listReleases(NAMESPACE))).toBe('backend_error');
    expect(codeOf(await store.createRelease(releaseOf('a')))).toBe('backend_error');
    await store.close();
  });
};
