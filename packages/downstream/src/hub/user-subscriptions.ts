import type { DownstreamError } from '../requests/call.ts';
import type { SubscribeOutcome, UpdateListener } from '../lists/resource-subscriptions.ts';
import type { FromHub } from './hub-message.ts';
import type { HubPort } from './hub-port.ts';

interface Followed {
  readonly server: string;
  readonly onUpdated: UpdateListener;
  readonly settle: (error: DownstreamError | undefined) => void;
}

/** The resources that this process follows through a hub. */
export class UserSubscriptions {
  readonly #port: HubPort;
  readonly #followed = new Map<number, Followed>();
  #nextId = 1;
  #isGone = false;

  constructor(port: HubPort) {
    this.#port = port;
  }

  /** Follows a resource as long as the hub can. */
  subscribe(
    { server, uri }: { readonly server: string; readonly uri: string },
    onUpdated: UpdateListener,
  ): Promise<SubscribeOutcome> {
    if (this.#isGone) return Promise.resolve({ ok: false, error: lost(server) });
    const id = this.#nextId++;
    const end = (): void => {
      if (this.#followed.delete(id)) this.#port.send({ kind: 'unsubscribe', id });
    };
    return new Promise((resolve) => {
      const settle = (error: DownstreamError | undefined): void => {
        if (error !== undefined) this.#followed.delete(id);
        resolve(error === undefined ? { ok: true, end } : { ok: false, error });
      };
      this.#followed.set(id, { server, onUpdated, settle });
      this.#port.send({ kind: 'subscribe', id, server, uri });
    });
  }

  /** Takes what the hub says of subscriptions. */
  take(message: Extract<FromHub, { kind: 'subscribed' | 'updated' }>): void {
    const followed = this.#followed.get(message.id);
    if (followed === undefined) return;
    if (message.kind === 'updated') {
      followed.onUpdated(JSON.parse(message.text) as Parameters<UpdateListener>[0]);
      return;
    }
    const { text } = message;
    followed.settle(text === undefined ? undefined : (JSON.parse(text) as DownstreamError));
  }

  /** The hub is gone. */
  close(): void {
    this.#isGone = true;
    for (const { server, settle } of [...this.#followed.values()]) settle(lost(server));
  }
}

const lost = (server: string): DownstreamError => ({
  code: 'server.connection-lost',
  server,
  reason: HUB_GONE,
});

/** Why nothing can be asked of a hub any more. */
export const HUB_GONE = 'the process that owns the servers has ended';
