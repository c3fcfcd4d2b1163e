import { RPC_CODE } from '@gateway/call-contract';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import type { Era } from '../requests/request-connection.ts';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** An open request for notifications about list changes. */
export interface ListChangeListener {
  stop(): void;
}

/**
 * Holds a `subscriptions/listen` request open on a 2026-07-28 connection; its servers send list changes to listeners only. Connections of
 * the 2025 revisions need no request. Calls `onGap` after an interruption, since changes may have been missed.
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
        // The health check detects a lost server.
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
