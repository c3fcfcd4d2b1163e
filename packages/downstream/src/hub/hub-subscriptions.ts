import type { Downstream } from '../supervision/downstream.ts';
import type { ToHub } from './hub-message.ts';
import type { Outbox } from './outbox.ts';

/** The resources that one user of the hub follows. */
export class HubSubscriptions {
  readonly #downstream: Downstream;
  readonly #outbox: Outbox;
  /** How each subscription that is wanted ends; until it stands there is nothing to do for that. */
  readonly #ends = new Map<number, () => void>();

  constructor(downstream: Downstream, outbox: Outbox) {
    this.#downstream = downstream;
    this.#outbox = outbox;
  }

  /** Follows a resource until `unsubscribe`, and says whether that is possible. */
  async subscribe({ id, server, uri }: Extract<ToHub, { kind: 'subscribe' }>): Promise<void> {
    this.#ends.set(id, () => undefined);
    const outcome = await this.#downstream.subscribeResource({ server, uri }, (params) => {
      if (this.#ends.has(id))
        this.#outbox.offer({ kind: 'updated', id, text: JSON.stringify(params) });
    });
    const isWanted = this.#ends.has(id);
    if (!outcome.ok) {
      this.#ends.delete(id);
      this.#outbox.post({ kind: 'subscribed', id, text: JSON.stringify(outcome.error) });
    } else if (isWanted) {
      this.#ends.set(id, outcome.end);
      this.#outbox.post({ kind: 'subscribed', id });
    } else outcome.end();
  }

  /** Nobody there listens any more. */
  unsubscribe(id: number): void {
    const end = this.#ends.get(id);
    this.#ends.delete(id);
    end?.();
  }

  /** Ends all of them: their user is gone. */
  close(): void {
    for (const id of [...this.#ends.keys()]) this.unsubscribe(id);
  }
}
