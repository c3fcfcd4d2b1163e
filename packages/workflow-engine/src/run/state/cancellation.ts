const MAX_REASON_CHARS = 200;

/** Stands for the answer of something that was not waited for. */
export class Interruption {
  /** Why the run must end. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Messages that say no more than the word in front of them. */
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

/** Why a run ended before its time, as one line: `cancelled`, or `timed out`, and what the reason adds. */
export const cancellationText = (reason: unknown): string => {
  if (reason instanceof DOMException && reason.name === 'TimeoutError') return 'timed out';
  const message = messageOf(reason);
  return EMPTY_MESSAGES.includes(message) ? 'cancelled' : `cancelled: ${message}`;
};

/** Told once that a run is cancelled, with the reason that its caller gave. */
export type Watcher = (cut: Interruption, reason: unknown) => void;

/**
 * What ends the waiting of a run. It listens once to the signals that it follows, however many calls wait at the same time, and gives each
 * call a signal of its own, so that nothing that a tool leaves behind hangs on the caller's signal or on that of another call.
 */
export class Cancellation {
  readonly #watchers = new Set<Watcher>();
  readonly #followed: { readonly signal: AbortSignal; readonly end: () => void }[] = [];
  #interruption: Interruption | undefined;
  #reason: unknown;

  /** Why the run must end; absent while it need not. */
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

  /** Tells the watcher as soon as the run is cancelled, at once when it is already. Gives the way to stop that. */
  watch(watcher: Watcher): () => void {
    if (this.#interruption !== undefined) {
      watcher(this.#interruption, this.#reason);
      return () => undefined;
    }
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Waits for the work or for the cancellation, whichever is first. What comes of the work afterwards is nobody's. */
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
    const cut = new Interruption(cancellationText(reason));
    this.#interruption = cut;
    this.#reason = reason;
    this.release();
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) watcher(cut, reason);
  }
}
