import { RPC_CODE } from '@gateway/call-contract';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import type { Era } from '../requests/request-connection.ts';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** An open request to be told of changes. */
export interface ListChangeListener {
  stop(): void;
}

/**
 * Keeps a `subscriptions/listen` request open on a 2026-07-28 connection, whose servers announce changes to nobody else.
 * Connections of the 2025 revisions need none. After a gap `onGap` is called, since changes may have been missed.
 */
export const listenForListChanges = (
  client: Client,
  negotiated: { readonly era: Era; readonly announces: SubscriptionFilter },
  onGap: () => void,
): ListChangeListener => {
  const controller = new AbortController();
  const { signal } = controller;
  const keepListening = async (): Promise<void> => {
    let delayMs = RETRY_MS;
    for (;;) {
      try {
        const subscription = await client.listen(negotiated.announces, { signal });
        delayMs = RETRY_MS;
        onGap();
        await subscription.closed;
      } catch (error) {
        if (error instanceof ProtocolError && error.code === RPC_CODE.methodNotFound) return;
        // Whether the server is still there is found out elsewhere.
        delayMs = Math.min(delayMs * 2, MAX_RETRY_MS);
      }
      await pause(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };
  if (negotiated.era === 'modern' && Object.keys(negotiated.announces).length > 0)
    void keepListening();
  return { stop: () => controller.abort() };
};
