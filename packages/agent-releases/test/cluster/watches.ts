import type { StoreChange } from '../../src/store/agent-store.ts';
import { expect, it } from 'vitest';
import { releaseOf } from '../suite/sample-objects.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import type { SharedCluster } from '../support/real-cluster.ts';

/** Polls for up to ten seconds, because machines may be busy. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** Starts a watch of a cluster that has the release `old`, and logs its changes as `change name`. */
const startWatchWith = (shared: SharedCluster) => async () => {
  const cluster = await shared.start();
  await cluster.apply(releaseOf('old'));
  const store = await cluster.open();
  const changes: string[] = [];
  const end = store.watch(['default'], ({ change, object }: StoreChange) => {
    changes.push(`${change} ${object.name}`);
  });
  // Both kinds are watched.
  await soon(() => cluster.proxy.watches.count).toBe(2);
  return { ...cluster, store, changes, end };
};

/** Tests of watches. */
export const watchTests = (shared: SharedCluster): void => {
  const startWatch = startWatchWith(shared);

  it('does not report existing objects', async () => {
    const { apply, changes } = await startWatch();
    await apply(releaseOf('new'));
    await soon(() => changes).toEqual(['written new']);
  });

  it('survives an outage of the API and reports it once for each kind', async () => {
    const watch = await startWatch();
    const { proxy, apply, changes, warnings } = watch;
    let isDown = true;
    proxy.fault = (_request, response) => {
      if (isDown) response.destroy();
      return isDown;
    };
    proxy.watches.cut();
    await apply(releaseOf('meanwhile'));
    await soon(() => warnings.length).toBe(2);
    isDown = false;
    await soon(() => changes).toEqual(['written meanwhile']);
    expect([...warnings].toSorted()).toEqual([
      'the Kubernetes API could not watch HelmReleases in namespace default: the connection failed (ECONNRESET)',
      'the Kubernetes API could not watch OCIRepositories in namespace default: the connection failed (ECONNRESET)',
    ]);
  });

  it('that has ended has no connection and reports nothing more', async () => {
    const { proxy, changes, end, store } = await startWatch();
    end();
    end();
    await soon(() => proxy.watches.count).toBe(0);
    valueOf(await store.createRelease(releaseOf('a')));
    expect(changes).toEqual([]);
    await store.close();
    await soon(() => proxy.connections).toBe(0);
  });

  it('that cannot begin delays a write by at most the time limit', async () => {
    const { proxy, open } = await shared.start();
    proxy.fault = ({ verb }) => verb === 'list';
    const store = await open({ timeoutMs: 200 });
    const end = store.watch(['default'], () => undefined);
    expect((await store.createRelease(releaseOf('sre'))).ok).toBe(true);
    end();
  });
};
