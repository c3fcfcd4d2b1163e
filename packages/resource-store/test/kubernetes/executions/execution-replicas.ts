import { SOLE_LEADER, type Leadership } from '@gateway/kube-client';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { onTestFinished } from 'vitest';
import {
  ExecutionObjects,
  type FollowerTiming,
} from '../../../src/kubernetes/execution-objects.ts';
import type { RecordBlobs } from '@gateway/call-contract';
import { connected } from '../cluster-store.ts';

/** Times short enough for tests. */
const FAST: FollowerTiming = { gatherMs: 5, renewMs: 100, abandonedMs: 600, checkMs: 20 };

/** One replica of a gateway. */
export interface Replica {
  readonly blobs: Required<RecordBlobs>;
  /** The summaries that were reported, by id. */
  readonly known: Map<string, string>;
  readonly problems: string[];
  readonly put: (record: ExecutionRecord) => Promise<void>;
  /** Ends the process without a word. */
  readonly die: () => void;
}

/** Returns the record of a run whose process has ended. */
const ended = (text: string): ExecutionRecord | undefined => {
  const record = JSON.parse(text) as ExecutionRecord;
  return record.status === 'inprogress'
    ? { ...record, status: 'failed', error: 'interrupted' }
    : undefined;
};

/** Starts a replica. */
export const startReplica = async (
  kubeconfig: string,
  namespace: string,
  {
    leadership = SOLE_LEADER,
    lease = 'gateway',
  }: { readonly leadership?: Leadership; readonly lease?: string } = {},
): Promise<Replica> => {
  const connection = await connected(kubeconfig);
  const origin = { apiGroup: 'gateway.internal', namespace, lease };
  const blobs = new ExecutionObjects({ ...origin, connection, leadership, timing: FAST });
  const known = new Map<string, string>();
  const problems: string[] = [];
  await blobs.shared.follow({
    onStored: (stored) => {
      for (const { id, summary } of stored) known.set(id, summary);
    },
    onRemoved: (ids) => {
      for (const id of ids) known.delete(id);
    },
    onFailure: ({ message }) => problems.push(message),
    onRecovery: () => problems.push('recovered'),
    endRecord: (_id, text) => {
      const record = ended(text);
      return record && { text: JSON.stringify(record), summary: record.status };
    },
  });
  const die = (): void => {
    blobs.shared.close();
    connection.close();
  };
  onTestFinished(die);
  const put = (record: ExecutionRecord): Promise<void> =>
    blobs.write(record.execution_id, JSON.stringify(record), record.status);
  return { blobs, known, problems, put, die };
};
