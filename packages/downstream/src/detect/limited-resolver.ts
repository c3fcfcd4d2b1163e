import { untilAborted } from '../connection/until-aborted.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The system resolver shares four threads with file access, and an unanswered query occupies one for a long time. */
const MAX_CONCURRENT = 2;

/** Returns a resolver that runs at most `maxConcurrent` queries of `resolve` concurrently. An aborted caller leaves the queue. */
export const limitLookups = (resolve: ResolveHost, maxConcurrent = MAX_CONCURRENT): ResolveHost => {
  let free = maxConcurrent;
  const waiting = new Set<() => void>();
  const acquire = async (signal: AbortSignal | undefined): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    let admit = (): void => undefined;
    const admitted = new Promise<void>((resolveAdmitted) => (admit = resolveAdmitted));
    waiting.add(admit);
    try {
      await (signal === undefined ? admitted : Promise.race([admitted, untilAborted(signal)]));
    } catch (error) {
      // The caller was admitted and aborted at once; the next one is admitted.
      if (!waiting.delete(admit)) release();
      throw error;
    }
  };
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
