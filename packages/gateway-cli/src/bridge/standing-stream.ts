import { discard, readStream } from './answer-body.ts';
import type { Answer } from './endpoint.ts';
import type { LegacySession, LegacySessionDependencies } from './legacy-session.ts';
import { Waits } from './patience.ts';

/** A stream that lasted this long was of use, in milliseconds; the next one is opened soon. */
const LASTING_MS = 5_000;

const NOT_FOUND = 404;
const NOT_SUPPORTED = 405;

/** The stream on which a session of the 2025 revisions receives what belongs to no request. It is opened again when it ends. */
export class StandingStream {
  readonly #dependencies: LegacySessionDependencies;
  readonly #session: LegacySession;
  #lastEventId: string | undefined;
  #isRunning = false;

  constructor(session: LegacySession, dependencies: LegacySessionDependencies) {
    this.#session = session;
    this.#dependencies = dependencies;
  }

  /** Keeps the stream open until the bridge ends; does nothing when it is. */
  start(): void {
    if (this.#isRunning || this.#session.id === undefined) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  async #run(): Promise<void> {
    const { endpoint, patience, signal } = this.#dependencies;
    const waits = new Waits(patience);
    while (!signal.aborted) {
      const sent = await endpoint.listen(this.#lastEventId, signal);
      if (sent.ok) {
        const since = performance.now();
        if (!(await this.#take(sent.answer))) return;
        if (performance.now() - since > LASTING_MS) waits.reset();
      }
      await waits.wait(signal);
    }
  }

  /** Returns `false` when the gateway has no such streams. */
  async #take(answer: Answer): Promise<boolean> {
    const { id } = this.#session;
    if (answer.isStream) {
      await readStream(answer, {
        onMessage: (text) => this.#dependencies.output.write(text),
        onId: (eventId) => {
          this.#lastEventId = eventId;
        },
      });
      return true;
    }
    discard(answer);
    if (answer.status !== NOT_FOUND) return answer.status !== NOT_SUPPORTED;
    this.#lastEventId = undefined;
    if (id !== undefined) await this.#session.renew(id);
    return true;
  }
}
