import { untilAborted } from '../connection/until-aborted.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The system resolver shares four threads with file access, and an unanswered query occupies one for a long time. */
const MAX_AT_ONCE = 2;

/** Returns a resolver that runs few queries of `resolve` concurrently. An aborted caller leaves the queue. */
export const limitLookups = (resolve: ResolveHost, atOnce = MAX_AT_ONCE): ResolveHost => {
  let free = atOnce;
  const waiting = new Set<() => void>();
  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    let call = (): void => undefined;
    const called = new Promise<void>((go) => (call = go));
    waiting.add(call);
    try {
      await (signal === undefined ? called : Promise.race([called, untilAborted(signal)]));
    } catch (error) {
      // The caller was admitted and aborted at once; the next one is admitted.
      if (!waiting.delete(call)) next();
      throw error;
    }
  };
  const next = (): void => {
    const [call] = waiting;
    if (call === undefined) free += 1;
    else {
      waiting.delete(call);
      call();
    }
  };
  return async (host, signal) => {
    await turn(signal);
    try {
      return await resolve(host, signal);
    } finally {
      next();
    }
  };
};
