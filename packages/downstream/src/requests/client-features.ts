import type { JsonObject } from '@gateway/call-contract';
/** The client capabilities that are declared to servers of the 2025 revisions in `initialize`. */
export interface ClientFeatures {
  readonly sampling?: Readonly<Record<string, unknown>>;
  readonly elicitation?: Readonly<Record<string, unknown>>;
  readonly roots?: Readonly<Record<string, unknown>>;
}

/**
 * Returns an `initialize` message of the SDK's client with the capabilities; any other message unchanged. The client itself has no
 * capabilities: with 2026-07-28 it would declare them in each request, where the capabilities of the caller belong.
 */
export const declaringFeatures = <M extends object>(message: M, features: ClientFeatures): M => {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'initialize') return message;
  return { ...message, params: { ...(params as JsonObject), capabilities: { ...features } } };
};
