/** Bytes that wait for the gateway, and bytes that wait for the client. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024;

/** Messages up to this size have room of their own, so that large ones do not stop cancellations. */
const SMALL_BYTES = 4 * 1024;
const ROOM_OF_SMALL_BYTES = 1024 * 1024;

/** The messages that wait, by their bytes. */
export class Backlog {
  readonly #onFull: (isFull: boolean) => void;
  #bytes = 0;
  #isFull = false;

  /** @param onFull receives each change: `true` above the bound */
  constructor(onFull: (isFull: boolean) => void) {
    this.#onFull = onFull;
  }

  /** Returns whether one more message of this size may wait. */
  hasRoom(bytes: number): boolean {
    const room = bytes > SMALL_BYTES ? 0 : ROOM_OF_SMALL_BYTES;
    return this.#bytes + bytes <= MAX_BACKLOG_BYTES + room;
  }

  /** Counts bytes until the work with them has ended. */
  hold(bytes: number, work: Promise<void>): void {
    this.#change(bytes);
    const release = (): void => this.#change(-bytes);
    work.then(release, release);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    const isFull = this.#bytes > MAX_BACKLOG_BYTES;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#onFull(isFull);
  }
}
