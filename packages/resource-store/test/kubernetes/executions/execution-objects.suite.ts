import { describe, expect, it } from 'vitest';
import { recordOf } from '../../record-contract.suite.ts';
import { changingLeadership } from '../cluster-store.ts';
import { startReplica } from './execution-replicas.ts';

/** A cluster, and a namespace of one test in it. */
export interface ExecutionCluster {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Reads an object; undefined when it does not exist. */
  readonly read: (name: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Deletes an object as `kubectl delete` does. */
  readonly remove: (name: string) => Promise<void>;
}

const soon = <T>(read: () => T) => expect.poll(read, { interval: 10 });
const running = (id: string) => recordOf(id, { status: 'inprogress', duration_ms: 0 });

/** The rules of runs as objects that several replicas write. */
export const executionSuite = (title: string, open: () => Promise<ExecutionCluster>): void => {
  const replicas = async () => {
    const cluster = await open();
    const { kubeconfig, namespace } = cluster;
    const leadership = changingLeadership(true);
    const others = changingLeadership(false);
    const leader = await startReplica(kubeconfig, namespace, { leadership });
    const other = await startReplica(kubeconfig, namespace, { leadership: others });
    return { ...cluster, leader, other, leadership, others };
  };
  const versionOf = (object: unknown): unknown =>
    (object as { readonly metadata: Readonly<Record<string, unknown>> } | undefined)?.metadata[
      'resourceVersion'
    ];

  describe(`runs as objects of ${title}`, () => {
    it('have labels and readable fields, and are written by the field manager gateway', async () => {
      const { leader, read } = await replicas();
      await leader.put(recordOf('a', { input: { x: 1 } }));
      expect(await read('a')).toMatchObject({
        metadata: {
          labels: {
            'gateway.internal/lease': 'gateway',
            'gateway.internal/workflow': 'sync',
            'gateway.internal/status': 'completed',
          },
          managedFields: [expect.objectContaining({ manager: 'gateway', operation: 'Apply' })],
        },
        spec: { workflowName: 'sync', status: 'completed', input: '{"x":1}', steps: [] },
      });
    });

    it('are known and read by every replica, and not by another gateway', async () => {
      const { kubeconfig, namespace, leader, other } = await replicas();
      const stranger = await startReplica(kubeconfig, namespace, { lease: 'stranger' });
      await leader.put(running('a'));
      await soon(() => other.known.get('a')).toBe('inprogress');
      await leader.put(recordOf('a'));
      await soon(() => other.known.get('a')).toBe('completed');
      expect(JSON.parse((await other.blobs.read('a')) ?? '')).toEqual(recordOf('a'));
      expect([stranger.known.size, await stranger.blobs.read('a')]).toEqual([0, undefined]);
      expect([await stranger.blobs.list(), await other.blobs.list()]).toEqual([[], ['a']]);
    });

    it('are deleted by the leader only, and their deletion by another is seen', async () => {
      const { leader, other, remove, read } = await replicas();
      await other.put(recordOf('a'));
      await other.put(recordOf('b'));
      await other.blobs.remove('a');
      expect(await read('a')).toBeDefined();
      await soon(() => leader.known.size).toBe(2);
      await leader.blobs.remove('a');
      await soon(() => [...other.known.keys()]).toEqual(['b']);
      await remove('b');
      await soon(() => leader.known.size + other.known.size).toBe(0);
    });

    it('of a dead replica are ended once by the leader, and those of a live one stay', async () => {
      const { leader, other, read } = await replicas();
      await other.put(running('dead'));
      await leader.put(running('alive'));
      other.die();
      await soon(() => leader.known.get('dead')).toBe('failed');
      const ended = await read('dead');
      expect(ended).toMatchObject({ spec: { status: 'failed', error: 'interrupted' } });
      // Several times the time after which a run is abandoned.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(versionOf(await read('dead'))).toBe(versionOf(ended));
      expect(await read('alive')).toMatchObject({ spec: { status: 'inprogress' } });
      expect(leader.known.get('alive')).toBe('inprogress');
    });

    it('are not ended by a replica that does not lead, until it does', async () => {
      const { leader, other, others, read } = await replicas();
      await leader.put(running('a'));
      leader.die();
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(await read('a')).toMatchObject({ spec: { status: 'inprogress' } });
      others.set(true);
      await soon(() => other.known.get('a')).toBe('failed');
    });

    it('are renewed while they are in progress, and not written after their end', async () => {
      const { leader, read } = await replicas();
      await leader.put(running('a'));
      const first = versionOf(await read('a'));
      await soon(async () => versionOf(await read('a'))).not.toBe(first);
      expect(await read('a')).toMatchObject({ spec: { status: 'inprogress' } });
      await leader.put(recordOf('a'));
      // A renewal that was on its way at the end may still arrive.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const last = versionOf(await read('a'));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(versionOf(await read('a'))).toBe(last);
    });

    it('that another deletes during the run are not renewed, and are written at their end', async () => {
      const { leader, remove, read } = await replicas();
      await leader.put(running('a'));
      await soon(() => leader.known.get('a')).toBe('inprogress');
      await remove('a');
      await soon(() => leader.known.size).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await read('a')).toBeUndefined();
      await leader.put(recordOf('a'));
      expect(await read('a')).toMatchObject({ spec: { status: 'completed' } });
    });

    it('that were ended by mistake get their true end', async () => {
      const { leader, other, read } = await replicas();
      await other.put(running('a'));
      other.blobs.shared.close();
      await soon(() => leader.known.get('a')).toBe('failed');
      await other.put(recordOf('a'));
      await soon(() => leader.known.get('a')).toBe('completed');
      expect(await read('a')).toMatchObject({ spec: { status: 'completed' } });
    });

    it('are reported again to a new leader, which deletes the surplus', async () => {
      const { other, others } = await replicas();
      await other.put(recordOf('a'));
      await soon(() => other.known.size).toBe(1);
      other.known.clear();
      others.set(true);
      expect([...other.known.keys()]).toEqual(['a']);
    });
  });
};
