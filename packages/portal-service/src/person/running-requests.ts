import { digestOfSession } from './sessions.ts';

/** A request that runs in the name of a session. */
export interface RunningRequest {
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
  /** Lets the request continue without the session. */
  readonly release: () => void;
}

/** The requests of this process that run in the name of sessions. */
export class RunningRequests {
  readonly #running = new Map<string, Set<AbortController>>();

  add(sessionId: string): RunningRequest {
    const digest = digestOfSession(sessionId);
    const controller = new AbortController();
    const ofSession = this.#running.get(digest) ?? new Set();
    this.#running.set(digest, ofSession.add(controller));
    const release = (): void => {
      ofSession.delete(controller);
      if (ofSession.size === 0 && this.#running.get(digest) === ofSession)
        this.#running.delete(digest);
    };
    return { signal: controller.signal, release };
  }

  /** Ends the requests of a session that has ended. */
  end(digest: string): void {
    for (const controller of this.#running.get(digest) ?? []) controller.abort();
  }
}
