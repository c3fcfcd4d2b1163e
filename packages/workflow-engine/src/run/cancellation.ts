const MAX_REASON_CHARS = 200;

/** Stands for the answer of something that was not waited for. */
export class Cut {
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

/**
 * What ends the waiting of a run. It listens once to the signals that it follows, however many calls wait at the same time,
 * and gives the calls a signal of its own, so that nothing that a tool leaves behind hangs on the caller's.
 */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<(cut: Cut) => void>();
  readonly #followed: { readonly signal: AbortSignal; readonly end: () => void }[] = [];
  #text: string | undefined;

  /** Told to the calls that are made. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the run must end; absent while it need not. */
  get text(): string | undefined {
    return this.#text;
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

  /** Waits for the work or for the cancellation, whichever is first. What comes of the work afterwards is nobody's. */
  until<T>(work: Promise<T>): Promise<T | Cut> {
    return new Promise((resolve) => {
      const leave = (cut: Cut): void => {
        resolve(cut);
      };
      const end = (): void => {
        this.#waiting.delete(leave);
        resolve(work);
      };
      if (this.#text === undefined) this.#waiting.add(leave);
      else leave(new Cut(this.#text));
      work.then(end, end);
    });
  }

  /** Stops listening. */
  release(): void {
    for (const { signal, end } of this.#followed) signal.removeEventListener('abort', end);
    this.#followed.length = 0;
  }

  #cancel(reason: unknown): void {
    if (this.#text !== undefined) return;
    this.#text = cancellationText(reason);
    this.release();
    for (const leave of this.#waiting) leave(new Cut(this.#text));
    this.#waiting.clear();
    this.#controller.abort(reason);
  }
}
