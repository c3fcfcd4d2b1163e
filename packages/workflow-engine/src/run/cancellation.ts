/** Calls a function and ignores its errors, synchronous or not. */
export const ignoreErrors = (action: () => unknown): void => {
  try {
    void Promise.resolve(action()).catch(() => undefined);
  } catch {
    // The run continues.
  }
};

const MAX_REASON_CHARS = 200;

/** The result of a cancelled wait. */
export class Interruption {
  /** The reason for the cancellation. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Messages without information beyond `cancelled`. */
const GENERIC_MESSAGES = [
  '',
  'This operation was aborted',
  'The operation was aborted',
  'signal is aborted without reason',
];

const formatReasonMessage = (reason: unknown): string => {
  if (!(reason instanceof Error) && !(reason instanceof DOMException)) return '';
  return reason.message.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_REASON_CHARS);
};

/** Formats the reason for a cancellation: `timed out`, `cancelled` or `cancelled: <message>`. */
export const formatCancellation = (reason: unknown): string => {
  if (reason instanceof DOMException && reason.name === 'TimeoutError') return 'timed out';
  const message = formatReasonMessage(reason);
  return GENERIC_MESSAGES.includes(message) ? 'cancelled' : `cancelled: ${message}`;
};

/** Called once when a run is cancelled, with the reason of its caller. */
export type CancellationListener = (interruption: Interruption, reason: unknown) => void;

/**
 * Cancels the pending waits of a run. Adds one listener to each followed signal, whatever the number of waiting calls, and
 * creates a separate signal for each call, so that listeners of a tool do not accumulate on the signal of the caller or of
 * another call.
 */
export class Cancellation {
  readonly #watchers = new Set<CancellationListener>();
  readonly #followed: { readonly signal: AbortSignal; readonly end: () => void }[] = [];
  #interruption: Interruption | undefined;
  #reason: unknown;

  /** The reason for the cancellation; absent until the run is cancelled. */
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
  watch(watcher: CancellationListener): () => void {
    if (this.#interruption !== undefined) {
      watcher(this.#interruption, this.#reason);
      return () => undefined;
    }
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Resolves with the result of the work, or at the cancellation if it comes first. Ignores a later result of the work.
   */
  until<T>(start: (signal: AbortSignal) => T | Promise<T>): Promise<T | Interruption> {
    const controller = new AbortController();
    return new Promise((resolve) => {
      const unwatch = this.watch((interruption, reason) => {
        resolve(interruption);
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
    const interruption = new Interruption(formatCancellation(reason));
    this.#interruption = interruption;
    this.#reason = reason;
    this.release();
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) watcher(interruption, reason);
  }
}
