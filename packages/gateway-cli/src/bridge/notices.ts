import { discard } from './answer-body.ts';
import { Backlog } from './backlog.ts';
import type { ClientNotice } from './client-message.ts';
import type { LegacySession, LegacySessionDependencies } from './legacy-session.ts';

/** The memory of a waiting notification, and of a response with its connection, besides their text, in bytes. */
const NOTIFICATION_BYTES = 1_024;
const RESPONSE_BYTES = 65_536;

/** Sends the messages of the client that have no answer. */
export class Notices {
  readonly #session: LegacySession;
  readonly #dependencies: LegacySessionDependencies;
  readonly #backlog = new Backlog(() => undefined);
  /** True when the last notice found no room. */
  #isDropping = false;
  readonly #onSent: (notice: ClientNotice) => void;
  /** Notifications are sent one after the other. */
  #queue: Promise<void> = Promise.resolve();

  constructor(
    session: LegacySession,
    dependencies: LegacySessionDependencies,
    /** Receives a notice that was sent, and one that was dropped because the gateway did not take it. */
    onSent: (notice: ClientNotice) => void,
  ) {
    this.#session = session;
    this.#dependencies = dependencies;
    this.#onSent = onSent;
  }

  /**
   * Sends a notice. One that the gateway does not take within the time for a restart is dropped, and one for which there is no room: the input
   * must be read for requests, cancellations and its end.
   */
  send(notice: ClientNotice): void {
    const bytes = Buffer.byteLength(notice.line);
    if (!this.#backlog.hasRoom(bytes)) {
      this.#drop(notice);
      return;
    }
    this.#isDropping = false;
    // A response must not wait for a notification that the gateway does not take.
    if (notice.kind === 'response') {
      this.#backlog.hold(bytes + RESPONSE_BYTES, this.#post(notice));
      return;
    }
    const since = performance.now();
    this.#queue = this.#queue.then(() => this.#postInTime(notice, since));
    this.#backlog.hold(bytes + NOTIFICATION_BYTES, this.#queue);
  }

  #drop(notice: ClientNotice): void {
    if (!this.#isDropping)
      this.#dependencies.log(
        'notifications or responses were dropped: too many wait for the gateway',
      );
    this.#isDropping = true;
    this.#onSent(notice);
  }

  async #postInTime(notice: ClientNotice, since: number): Promise<void> {
    const { totalMs } = this.#dependencies.patience;
    if (performance.now() - since < totalMs) {
      await this.#post(notice);
      return;
    }
    this.#dependencies.log('a notification was dropped: the gateway took none in time');
    this.#onSent(notice);
  }

  async #post(notice: ClientNotice): Promise<void> {
    const { endpoint, signal, patience } = this.#dependencies;
    const { id } = this.#session;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const timer = setTimeout(end, patience.totalMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    const sent = await endpoint.post(notice.line, notice, ending.signal);
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    if (sent.ok) {
      discard(sent.answer);
      if (sent.answer.status === 404 && id !== undefined) void this.#session.renew(id);
    }
    this.#onSent(notice);
  }
}
