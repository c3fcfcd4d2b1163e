import { setTimeout as wait } from 'node:timers/promises';
import type { StoredEvent } from '@gateway/events';
import { connectToCluster, Election } from '@gateway/kube-client';
import { openKubernetesStore } from '../../src/kubernetes/open-kubernetes-store.ts';

/** Short, so that a test need not wait long for another leader. */
const TIMING = { durationMs: 2_000, deadlineMs: 1_500, everyMs: 300 };
const LOOK_MS = 20;

/** The part of a gateway that writes events of a cluster. */
export interface EventReplica {
  readonly append: (events: readonly StoredEvent[]) => Promise<void>;
  /** Returns the number of events in the cluster. */
  readonly countWritten: () => Promise<number>;
  /** Resolves when this process leads. */
  readonly untilWriting: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens one of several writers of events, of which one leads. */
export const openEventReplica = async ({
  kubeconfig,
  namespace,
  name,
}: {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly name: string;
}): Promise<EventReplica> => {
  const connected = await connectToCluster({ kubeconfig, fieldManager: 'gateway' });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const key = { namespace, name: 'gateway' };
  const leadership = new Election({ connection, key, identity: name, timing: TIMING });
  const store = await openKubernetesStore({
    ...{ connection, namespaces: [namespace], namespace, allowStdio: false, leadership },
  });
  return {
    append: (events) =>
      store.eventLines.append(
        'MCPServer',
        events.map((event) => JSON.stringify(event)),
      ),
    countWritten: async () => (await store.eventLines.read('MCPServer', 100)).length,
    untilWriting: async () => {
      while (!leadership.isLeader()) await wait(LOOK_MS);
    },
    close: async () => {
      await store.close();
      await leadership.release();
      connection.close();
    },
  };
};
