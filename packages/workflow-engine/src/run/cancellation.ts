/** Calls a function and ignores its errors, synchronous or not. */
export const ignoreErrors = (act: () => unknown): void => {
  try {
    void Promise.resolve(act()).catch(() => undefined);
  } catch {
    // The run continues.
  }
};

const MAX_REASON_CHARS = 200;

/** The result of a wait that the cancellation ended. */
export class Interruption {
  /** The reason that the run must end. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Messages without information beyond `cancelled`. */
const EMPTY_MESSAGES = [
  '',
  'This operation was aborted',
  'The operation was aborted',
  'signal is aborted without reason',
];

const messageOf = (reason: unknown): string => {
  if (!(reason instanceof Error) && !(reason instanceof DOMException)) return '';
  return reason.message.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_REASON_CHARS);
};

/** Returns the reason of a cancellation as one line: `cancelled`, or `timed out`, with the message of the reason. */
export const formatCancellation = (reason: unknown): string => {
  if (reason instanceof DOMException && reason.name === 'TimeoutError') return 'timed out';
  const message = messageOf(reason);
  return EMPTY_MESSAGES.includes(message) ? 'cancelled' : `cancelled: ${message}`;
};

/** Called once when a run is cancelled, with the reason of its caller. */
export type Watcher = (cut: Interruption, reason: unknown) => void;

/**
 * Ends the waits of a run. It listens once to the signals that it follows, independent of the number of waiting calls, and
 * creates a separate signal for each call, so that listeners of a tool do not accumulate on the signal of the caller or of
 * another call.
 */
export class Cancellation {
  readonly #watchers = new Set<Watcher>();
  readonly #followed: { readonly signal: AbortSignal; readonly end: () => void }[] = [];
  #interruption: Interruption | undefined;
  #reason: unknown;

  /** The reason that the run must end; absent while it is not cancelled. */
  get text(): string | undefined {
    return this.#interruption?.text;
  }

  /** Cancels as soon as the signal is aborted. */
  follow(signal: AbortSignal): void {
    const end = (): void => {
      this.#cancel(signal.reason);
    };
    if (signal.aborted) {
      end();
      return;
    }
    signal.addEventListener('abort', end, { once: true });
    this.#followed.push({ signal, end });
  }

  /** Calls the watcher when the run is cancelled, at once when it already is. Returns a function that removes the watcher. */
  watch(watcher: Watcher): () => void {
    if (this.#interruption !== undefined) {
      watcher(this.#interruption, this.#reason);
      return () => undefined;
    }
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Resolves with the result of the work or at the cancellation, whichever comes first. A later result of the work is ignored.
   */
  until<T>(start: (signal: AbortSignal) => T | Promise<T>): Promise<T | Interruption> {
    const controller = new AbortController();
    return new Promise((resolve) => {
      const unwatch = this.watch((cut, reason) => {
        resolve(cut);
        controller.abort(reason);
      });
      const work = (async () => start(controller.signal))();
      const end = (): void => {
        unwatch();
        resolve(work);
      };
      work.then(end, end);
    });
  }

  /** Stops listening. */
  release(): void {
    for (const { signal, end } of this.#followed) signal.removeEventListener('abort', end);
    this.#followed.length = 0;
  }

  #cancel(reason: unknown): void {
    if (this.#interruption !== undefined) return;
    const cut = new Interruption(formatCancellation(reason));
    this.#interruption = cut;
    this.#reason = reason;
    this.release();
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) watcher(cut, reason);
  }
}
