import { startTestCluster, type StoredObject, type ApiServer } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Election, type ApiConnection } from '../../src/index.ts';
import type { ElectionOptions } from '../../src/election.ts';
import { connected } from '../pods.ts';

const LEASES = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
} as const;
const KEY = { namespace: 'default', name: 'gateway' };
const TIMING = { durationMs: 1_000, deadlineMs: 600, everyMs: 100 };
const raceSignal = { timeout: 60_000, interval: 10 };

const start = async () => {
  const { api, kubeconfig } = await startTestCluster({ kinds: [LEASES] });
  const connect = (): Promise<ApiConnection> => connected({ kubeconfig });
  const join = async (
    identity: string,
    options: Partial<ElectionOptions> = {},
  ): Promise<Election> => {
    const connection = options.connection ?? (await connect());
    const election = new Election({
      ...{ connection, key: KEY, identity, timing: TIMING },
      ...options,
    });
    onTestFinished(() => election.release());
    return election;
  };
  return { api, connect, join };
};

interface Lease extends StoredObject {
  readonly spec: Readonly<Record<string, unknown>>;
}
const leaseOf = (api: ApiServer): Lease => api.history.get(LEASES, KEY) as Lease;
const leads = (election: Election) =>
  vi.waitFor(() => {
    expect(election.isLeader()).toBe(true);
  }, raceSignal);

const countOf = (api: ApiServer, wanted: string): number =>
  api.requests.filter(({ verb }) => verb === wanted).length;
const times = (api: ApiServer, verb: string, count: number) =>
  vi.waitFor(() => {
    expect(countOf(api, verb)).toBeGreaterThanOrEqual(count);
  }, raceSignal);

describe('an election', () => {
  it('creates the lease and renews it', async () => {
    const { api, join } = await start();
    const changes: boolean[] = [];
    const one = await join('one');
    one.onChange((isLeader) => changes.push(isLeader));
    await leads(one);
    const { spec } = leaseOf(api);
    expect(spec).toMatchObject({
      holderIdentity: 'one',
      leaseDurationSeconds: 1,
      leaseTransitions: 0,
    });
    expect(spec['renewTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    await vi.waitFor(() => {
      expect(leaseOf(api).spec['renewTime']).not.toBe(spec['renewTime']);
    }, raceSignal);
    expect(leaseOf(api).spec['acquireTime']).toBe(spec['acquireTime']);
    expect(changes).toEqual([true]);
  });

  it('has one leader at a time, and a new one when the leader releases the lease', async () => {
    const { api, join } = await start();
    const one = await join('one');
    await leads(one);
    const two = await join('two');
    const three = await join('three');
    await times(api, 'watch', 2);
    await times(api, 'update', 6);
    expect(countOf(api, 'get')).toBe(3);
    expect([one, two, three].map((each) => each.isLeader())).toEqual([true, false, false]);
    await one.release();
    expect(one.isLeader()).toBe(false);
    await vi.waitFor(() => {
      expect([two, three].filter((each) => each.isLeader())).toHaveLength(1);
    }, raceSignal);
    expect(leaseOf(api).spec['leaseTransitions']).toBe(1);
  });

  it('has a new leader when the leader is gone, by the clock of the waiting process', async () => {
    const { api, join, connect } = await start();
    const connection = await connect();
    const one = await join('one', { connection });
    await leads(one);
    const two = await join('two');
    // As if the machine of the leader had another time: years in the future.
    connection.close();
    const lost = leaseOf(api);
    api.apply({ ...lost, spec: { ...lost.spec, renewTime: '2099-01-01T00:00:00.000000Z' } });
    const goneAt = performance.now();
    await vi.waitFor(() => {
      expect(one.isLeader()).toBe(false);
      expect(two.isLeader()).toBe(true);
    }, raceSignal);
    expect(performance.now() - goneAt).toBeGreaterThan(TIMING.durationMs - TIMING.everyMs);
    expect(leaseOf(api).spec['holderIdentity']).toBe('two');
  });

  it('has a new leader as soon as the lease is deleted', async () => {
    const { api, join, connect } = await start();
    const connection = await connect();
    await leads(await join('one', { connection }));
    const timing = { durationMs: 60_000, deadlineMs: 50_000, everyMs: 40_000 };
    const two = await join('two', { timing });
    await times(api, 'watch', 1);
    connection.close();
    api.remove('Lease', KEY);
    await leads(two);
  });

  it('has a new leader although its watches end and break', async () => {
    const { api, join, connect } = await start();
    // Long enough that a busy machine renews in time: a process that misses a renewal reads the lease.
    const timing = { durationMs: 60_000, deadlineMs: 50_000, everyMs: 100 };
    const connection = await connect();
    const one = await join('one', { connection, timing });
    await leads(one);
    const two = await join('two', { timing });
    await times(api, 'watch', 1);
    api.watches.end();
    await times(api, 'watch', 2);
    api.watches.cut();
    await times(api, 'watch', 3);
    // A process may read the lease once more while its third watch opens.
    await vi.waitFor(async () => {
      const gets = countOf(api, 'get');
      await times(api, 'update', countOf(api, 'update') + 5);
      expect(countOf(api, 'get')).toBe(gets);
    }, raceSignal);
    expect([one.isLeader(), two.isLeader()]).toEqual([true, false]);
    connection.close();
    api.remove('Lease', KEY);
    await leads(two);
  });

  it('reads the lease from time to time without the permission to watch it', async () => {
    const { api, join } = await start();
    api.isAllowed = ({ verb }) => verb !== 'watch';
    const failures: unknown[] = [];
    const one = await join('one');
    await leads(one);
    const two = await join('two', { onFailure: (failure) => failures.push(failure) });
    await times(api, 'get', 8);
    expect(countOf(api, 'watch')).toBe(1);
    await one.release();
    await leads(two);
    expect(failures).toEqual([]);
  });

  it('ends for a leader whose API does not answer, before another process may lead', async () => {
    const { api, join } = await start();
    const failures: string[] = [];
    const one = await join('one', { onFailure: ({ kind }) => failures.push(kind) });
    await leads(one);
    let ended = 0;
    one.onChange((isLeader) => {
      if (!isLeader) ended = performance.now();
    });
    const cutAt = performance.now();
    api.fault = (_request, response) => {
      response.destroy();
      return true;
    };
    await vi.waitFor(() => {
      expect(one.isLeader()).toBe(false);
      expect(ended).toBeGreaterThan(0);
    }, raceSignal);
    expect(ended - cutAt).toBeLessThan(TIMING.durationMs);
    expect(failures).toEqual(['broken']);
    api.fault = undefined;
    await leads(one);
  });

  it('does not end when the answer to a renewal is lost', async () => {
    const { api, join } = await start();
    const one = await join('one');
    await leads(one);
    const changes: boolean[] = [];
    one.onChange((isLeader) => changes.push(isLeader));
    // As if a renewal had been written and its answer had been lost: the version is not the one that the process knows.
    api.apply({ ...leaseOf(api) });
    const { resourceVersion } = leaseOf(api).metadata;
    await vi.waitFor(() => {
      expect(leaseOf(api).metadata.resourceVersion).not.toBe(resourceVersion);
    }, raceSignal);
    expect([one.isLeader(), changes]).toEqual([true, []]);
  });

  it('does not take a lease that another process wrote in between', async () => {
    const { api, join } = await start();
    let hasRaced = false;
    api.fault = (request) => {
      if (request.verb === 'create' && !hasRaced) {
        hasRaced = true;
        api.apply({
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: KEY,
          spec: { holderIdentity: 'other', leaseDurationSeconds: 1 },
        });
      }
      return false;
    };
    const one = await join('one');
    await vi.waitFor(() => {
      expect(hasRaced).toBe(true);
    }, raceSignal);
    expect(one.isLeader()).toBe(false);
    await leads(one);
    expect(leaseOf(api).spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 1 });
  });
});
