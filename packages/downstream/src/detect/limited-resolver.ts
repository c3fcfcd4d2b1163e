import { untilAborted } from '../connection/until-aborted.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The system looks names up on the four threads that files need too; a name whose servers do not answer holds one for a long time. */
const MAX_AT_ONCE = 2;

/** A resolver that asks `resolve` about few names at once, however many callers there are; who gives up leaves the line. */
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
      // Called and given up at once: the turn goes to whoever is next.
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
