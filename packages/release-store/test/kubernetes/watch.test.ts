import type { StoreChange } from '@gateway/agent-releases';
import { describe, expect, it } from 'vitest';
import { at, releaseOf } from '../suite/sample-objects.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import type { ApiObject } from '../support/api-server/api-object.ts';
import { startCluster, type Cluster } from '../support/api-server/cluster.ts';

/** Waits for what comes soon, on a busy machine too. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

const release = (name: string, values = {}): ApiObject => releaseOf(name, values) as ApiObject;

/** A watch of a cluster with a release `old`, as `change name` in order, once it tells of changes. */
const startWatch = async (options = {}) => {
  const cluster = await startCluster();
  cluster.api.apply(release('old'));
  const store = await cluster.open(options);
  const told: string[] = [];
  const end = store.watch(['default'], ({ change, object }: StoreChange) => {
    told.push(`${change} ${object.name}`);
  });
  await watching(cluster);
  return { ...cluster, store, told, end };
};

/** Done when both kinds are watched. */
const watching = ({ api }: Cluster) => soon(() => api.watches.count).toBe(2);

const listsOf = ({ api }: Cluster): number =>
  api.requests.filter(({ verb, resource }) => verb === 'list' && resource === 'helmreleases')
    .length;

describe('a watch', () => {
  it('tells nothing of what was there before', async () => {
    const { api, told } = await startWatch();
    api.apply(release('new'));
    await soon(() => told).toEqual(['written new']);
  });

  it.each([
    ['ended', (cluster: Cluster) => cluster.api.watches.end()],
    ['cut', (cluster: Cluster) => cluster.api.watches.cut()],
  ])('that is %s goes on where it was, and misses nothing', async (_title, stop) => {
    const watch = await startWatch();
    const { api, told } = watch;
    api.apply(release('a'));
    await soon(() => told).toEqual(['written a']);
    stop(watch);
    api.apply(release('b'));
    api.remove('HelmRelease', at('a'));
    await soon(() => told).toEqual(['written a', 'written b', 'deleted a']);
    expect(listsOf(watch)).toBe(1);
  });

  it('whose place is forgotten lists again, and tells what is different', async () => {
    const watch = await startWatch();
    const { api, told } = watch;
    api.apply(release('kept'));
    await soon(() => told).toEqual(['written kept']);
    api.watches.cut();
    api.apply(release('new'));
    api.remove('HelmRelease', at('old'));
    api.compact();
    await soon(() => told).toEqual(['written kept', 'written new', 'deleted old']);
    expect(listsOf(watch)).toBe(2);
  });

  it('keeps its place by bookmarks, while others change other things', async () => {
    const watch = await startWatch();
    const { api, told } = watch;
    const elsewhere = { ...release('x'), metadata: { name: 'x', namespace: 'tenant' } };
    for (let count = 0; count < 3; count += 1) api.apply(elsewhere);
    api.watches.bookmark();
    api.apply(release('a'));
    await soon(() => told).toEqual(['written a']);
    const asked = api.requests.filter(({ verb }) => verb === 'watch').length;
    api.watches.end();
    await soon(() => api.requests.filter(({ verb }) => verb === 'watch').length).toBeGreaterThan(
      asked + 1,
    );
    const positions = api.requests
      .filter(({ verb, resource }) => verb === 'watch' && resource === 'ocirepositories')
      .map(({ query }) => Number(query.get('resourceVersion')));
    expect(positions).toEqual([1001, 1004]);
  });

  it('outlives an API that goes away, and says so once', async () => {
    const watch = await startWatch();
    const { api, told, warnings } = watch;
    let isAway = true;
    api.fault = (_request, response) => {
      if (isAway) response.destroy();
      return isAway;
    };
    api.watches.cut();
    api.apply(release('meanwhile'));
    await soon(() => warnings.length).toBe(2);
    isAway = false;
    await soon(() => told).toEqual(['written meanwhile']);
    expect([...warnings].toSorted()).toEqual([
      'the Kubernetes API could not watch HelmReleases in namespace default: the connection failed (ECONNRESET)',
      'the Kubernetes API could not watch OCIRepositories in namespace default: the connection failed (ECONNRESET)',
    ]);
  });

  it('lists again where the API ends every watch without a word, with longer and longer pauses', async () => {
    const watch = await startWatch();
    const { api, told } = watch;
    const askedAt: number[] = [];
    api.fault = ({ verb, resource }, response) => {
      if (verb !== 'watch' || resource !== 'helmreleases') return false;
      askedAt.push(performance.now());
      response.writeHead(200).end();
      return true;
    };
    api.watches.cut();
    api.apply(release('meanwhile'));
    await soon(() => told).toEqual(['written meanwhile']);
    expect(listsOf(watch)).toBe(2);
    expect(askedAt.length).toBeLessThan(6);
  });

  it('lists again after a line that cannot be read', async () => {
    const watch = await startWatch();
    const { api, told } = watch;
    let isGarbled = false;
    api.fault = ({ verb, resource }, response) => {
      if (verb !== 'watch' || resource !== 'helmreleases' || isGarbled) return false;
      isGarbled = true;
      response.writeHead(200).write('{"type": "MODIFIED", "obj\n');
      return true;
    };
    api.watches.cut();
    api.apply(release('a'));
    await soon(() => told).toEqual(['written a']);
    expect(listsOf(watch)).toBe(2);
  });

  it('that is ended leaves no connection and tells nothing more', async () => {
    const { api, told, end, store } = await startWatch();
    end();
    end();
    await soon(() => api.watches.count).toBe(0);
    valueOf(await store.createRelease(releaseOf('a')));
    expect(told).toEqual([]);
    await store.close();
    await soon(() => api.connections()).toBe(0);
  });

  it('that cannot begin holds up no write for longer than the time limit', async () => {
    const { api, open } = await startCluster();
    api.fault = ({ verb }) => verb === 'list';
    const store = await open({ timeoutMs: 200 });
    const end = store.watch(['default'], () => undefined);
    expect((await store.createRelease(releaseOf('sre'))).ok).toBe(true);
    end();
  });
});
