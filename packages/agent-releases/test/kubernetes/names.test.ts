import { expect, it } from 'vitest';
import { accepted, valueOf } from '../suite/agent-store-suite.ts';
import { toName, releaseOf } from '../suite/sample-objects.ts';
import { startCluster } from '../support/cluster.ts';

it.each(['..', '.', 'a/b', '', 'A', 'a%2fb', 'ü', 'x'.repeat(300), '-a', 'a?b', '__proto__'])(
  'no object can have the name %j, which is absent, and not requested',
  async (name) => {
    const { api, open } = await startCluster();
    const store = await open();
    const here = toName(name);
    expect(await store.getRelease(here)).toEqual(accepted(undefined));
    expect(await store.deleteRelease(here)).toEqual(accepted(false));
    expect(await store.deleteSource({ namespace: name, name: 'a' })).toEqual(accepted(false));
    expect(await store.listReleases(name)).toEqual(accepted([]));
    expect(await store.replaceRelease(releaseOf(name), '1')).toMatchObject({
      error: { code: 'conflict' },
    });
    const nothing = { deployment: undefined, pods: [], events: [] };
    expect(valueOf(await store.workload(here))).toEqual(nothing);
    expect(api.requests).toEqual([]);
  },
);
