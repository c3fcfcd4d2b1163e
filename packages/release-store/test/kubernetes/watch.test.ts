import type { StoreChange } from '@gateway/agent-releases';
import { describe, expect, it } from 'vitest';
import { releaseOf } from '../suite/sample-objects.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import type { ApiObject } from '@gateway/test-cluster';
import { startCluster, type Cluster } from '../support/cluster.ts';

/** Polls for up to ten seconds, because machines may be busy. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const release = (name: string, values = {}): ApiObject => releaseOf(name, values) as ApiObject;

/** Starts a watch of a cluster that has the release `old`, and logs its changes as `change name`. */
const startWatch = async (options = {}) => {
  const cluster = await startCluster();
  cluster.api.apply(release('old'));
  const store = await cluster.open(options);
  const changes: string[] = [];
  const end = store.watch(['default'], ({ change, object }: StoreChange) => {
    changes.push(`${change} ${object.name}`);
  });
  await watching(cluster);
  return { ...cluster, store, changes, end };
};

/** Resolves when both kinds are watched. */
const watching = ({ api }: Cluster) => soon(() => api.watches.count).toBe(2);

describe('a watch', () => {
  it('does not report existing objects', async () => {
    const { api, changes } = await startWatch();
    api.apply(release('new'));
    await soon(() => changes).toEqual(['written new']);
  });

  it('survives an outage of the API and reports it once for each kind', async () => {
    const watch = await startWatch();
    const { api, changes, warnings } = watch;
    let isDown = true;
    api.fault = (_request, response) => {
      if (isDown) response.destroy();
      return isDown;
    };
    api.watches.cut();
    api.apply(release('meanwhile'));
    await soon(() => warnings.length).toBe(2);
    isDown = false;
    await soon(() => changes).toEqual(['written meanwhile']);
    expect([...warnings].toSorted()).toEqual([
      'the Kubernetes API could not watch HelmReleases in namespace default: the connection failed (ECONNRESET)',
      'the Kubernetes API could not watch OCIRepositories in namespace default: the connection failed (ECONNRESET)',
    ]);
  });

  it('that has ended has no connection and reports nothing more', async () => {
    const { api, changes, end, store } = await startWatch();
    end();
    end();
    await soon(() => api.watches.count).toBe(0);
    valueOf(await store.createRelease(releaseOf('a')));
    expect(changes).toEqual([]);
    await store.close();
    await soon(() => api.connections()).toBe(0);
  });

  it('that cannot begin delays a write by at most the time limit', async () => {
    const { api, open } = await startCluster();
    api.fault = ({ verb }) => verb === 'list';
    const store = await open({ timeoutMs: 200 });
    const end = store.watch(['default'], () => undefined);
    expect((await store.createRelease(releaseOf('sre'))).ok).toBe(true);
    end();
  });
});
