import { lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves the addresses of a host; rejects when there are none, or when `signal` aborts. */
export type ResolveHost = (host: string, signal?: AbortSignal) => Promise<readonly HostAddress[]>;

/** The system resolver shares four threads with file access, and an unanswered query occupies one for a long time. */
const MAX_CONCURRENT = 2;

/** Returns a resolver that runs at most `maxConcurrent` queries of `resolve` concurrently. An aborted caller leaves the queue. */
export const limitLookups = (resolve: ResolveHost, maxConcurrent = MAX_CONCURRENT): ResolveHost => {
  let free = maxConcurrent;
  const waiting = new Set<() => void>();
  const acquire = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((grant, reject) => {
      if (free > 0) {
        free -= 1;
        grant();
        return;
      }
      const leave = (): void => {
        if (waiting.delete(admit)) reject(new Error('the lookup was aborted while it waited'));
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', leave);
        grant();
      };
      waiting.add(admit);
      if (signal?.aborted === true) leave();
      else signal?.addEventListener('abort', leave, { once: true });
    });
  const release = (): void => {
    const [admit] = waiting;
    if (admit === undefined) free += 1;
    else {
      waiting.delete(admit);
      admit();
    }
  };
  return async (host, signal) => {
    await acquire(signal);
    try {
      return await resolve(host, signal);
    } finally {
      release();
    }
  };
};

/** Resolves a host with the resolver of the system, `/etc/hosts` included. All callers share one queue with a limit on concurrent lookups. */
export const resolveHost: ResolveHost = limitLookups((host) => lookup(host, { all: true }));
