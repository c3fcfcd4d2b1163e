import { describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '@gateway/test-peers';
import { Informer, type ApiFailure } from '../src/index.ts';
import { connected, POD, podOf } from './pods.ts';

/** Polls for up to ten seconds, because machines may be busy. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const at = (name: string) => ({ namespace: 'default', name });

/** Starts an informer of a cluster that has the pod `old`, and logs its changes as `change name`. */
const startInformer = async () => {
  const cluster = await startTestCluster();
  cluster.api.apply(podOf('old'));
  const connection = await connected({ kubeconfig: cluster.kubeconfig });
  const changes: string[] = [];
  const failures: ApiFailure[] = [];
  const informer = new Informer(connection, {
    kind: POD,
    namespace: 'default',
    onChange: (name, change) => changes.push(`${change} ${name}`),
    onFailure: (failure) => failures.push(failure),
  });
  await soon(() => cluster.api.watches.count).toBe(1);
  return { ...cluster, connection, changes, failures, informer };
};

const countOf = ({ api }: TestCluster, verb: 'list' | 'watch'): number =>
  api.requests.filter((request) => request.verb === verb).length;

describe('an informer', () => {
  it('does not report existing objects', async () => {
    const { api, changes } = await startInformer();
    api.apply(podOf('new'));
    await soon(() => changes).toEqual(['written new']);
  });

  it.each([
    ['ended', (cluster: TestCluster) => cluster.api.watches.end()],
    ['cut', (cluster: TestCluster) => cluster.api.watches.cut()],
  ])(
    'whose watch is %s continues from its version without missing a change',
    async (_title, stop) => {
      const watch = await startInformer();
      const { api, changes } = watch;
      api.apply(podOf('a'));
      await soon(() => changes).toEqual(['written a']);
      stop(watch);
      api.apply(podOf('b'));
      api.remove('Pod', at('a'));
      await soon(() => changes).toEqual(['written a', 'written b', 'deleted a']);
      expect(countOf(watch, 'list')).toBe(1);
    },
  );

  it('survives an outage of the API and reports it once', async () => {
    const watch = await startInformer();
    const { api, changes, failures } = watch;
    let isDown = true;
    api.fault = (_request, response) => {
      if (isDown) response.destroy();
      return isDown;
    };
    api.watches.cut();
    api.apply(podOf('meanwhile'));
    await soon(() => failures.length).toBe(1);
    isDown = false;
    await soon(() => changes).toEqual(['written meanwhile']);
    expect(failures).toEqual([{ kind: 'broken', code: 'ECONNRESET' }]);
  });

  it('lists again with backoff when the API ends every watch silently', async () => {
    const watch = await startInformer();
    const { api, changes } = watch;
    const requestedAt: number[] = [];
    api.fault = ({ verb }, response) => {
      if (verb !== 'watch') return false;
      requestedAt.push(performance.now());
      response.writeHead(200).end();
      return true;
    };
    api.watches.cut();
    api.apply(podOf('meanwhile'));
    await soon(() => changes).toEqual(['written meanwhile']);
    expect(countOf(watch, 'list')).toBe(2);
    expect(requestedAt.length).toBeLessThan(6);
  });

  it('lists again after an unreadable line, and reports the differences', async () => {
    const watch = await startInformer();
    const { api, changes } = watch;
    let wasSent = false;
    api.fault = ({ verb }, response) => {
      if (verb !== 'watch' || wasSent) return false;
      wasSent = true;
      response.writeHead(200).write('{"type": "MODIFIED", "obj\n');
      return true;
    };
    api.watches.cut();
    api.apply(podOf('a'));
    api.remove('Pod', at('old'));
    await soon(() => changes).toEqual(['written a', 'deleted old']);
    expect(countOf(watch, 'list')).toBe(2);
  });

  it('that is stopped has no connection and reports nothing more', async () => {
    const { api, changes, informer } = await startInformer();
    informer.stop();
    informer.stop();
    await soon(() => api.watches.count).toBe(0);
    api.apply(podOf('a'));
    await soon(() => api.connections()).toBeLessThan(2);
    expect(changes).toEqual([]);
  });
});
