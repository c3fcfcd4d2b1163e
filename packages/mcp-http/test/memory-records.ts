import type {
  ResourceSubscription,
  SessionRecord,
  SessionRecords,
} from '../src/sessions/shared-sessions.ts';

/** Records of sessions that processes of one test share. */
export interface MemoryRecords extends SessionRecords {
  /** Operations fail from now on. */
  fail: boolean;
  reads: number;
  /** Marks of use have expired, and new ones do at once. */
  hasNoUses: boolean;
  /** When the store lost its data the last time. */
  marksSince: number;
}

export const memoryRecords = (): MemoryRecords => {
  const stored = new Map<string, SessionRecord>();
  const of = (id: string): SessionRecord =>
    stored.get(id) ?? {
      ...{ isEnded: false, isUsed: false, marksSince: 0 },
      ...{ logLevel: undefined, followed: [] },
    };
  const write = async (id: string, change: Partial<SessionRecord>): Promise<void> => {
    await settle();
    stored.set(id, { ...of(id), ...change });
  };
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (records.fail) throw new Error('away');
  };
  const others = (id: string, other: string): readonly ResourceSubscription[] =>
    of(id).followed.filter(({ uri }) => uri !== other);
  const records: MemoryRecords = {
    fail: false,
    reads: 0,
    hasNoUses: false,
    marksSince: 0,
    read: async (id) => {
      records.reads += 1;
      await settle();
      const { marksSince, hasNoUses } = records;
      return { ...of(id), marksSince, ...(hasNoUses && { isUsed: false }) };
    },
    markUsed: (id) => write(id, { isUsed: true }),
    markEnded: (id) => write(id, { isEnded: true }),
    setLogLevel: (id, logLevel) => write(id, { logLevel }),
    follow: (id, resource) => write(id, { followed: [...others(id, resource.uri), resource] }),
    unfollow: (id, uri) => write(id, { followed: others(id, uri) }),
  };
  return records;
};
