/** What servers of the 2025 revisions are told that clients can do; the capabilities as `initialize` has them. */
export interface ClientFeatures {
  readonly sampling?: Readonly<Record<string, unknown>>;
  readonly elicitation?: Readonly<Record<string, unknown>>;
  readonly roots?: Readonly<Record<string, unknown>>;
}

type OpenRecord = Readonly<Record<string, unknown>>;

/**
 * A message of the SDK's client with the features declared, if it is `initialize`. The client itself has none: it would
 * declare them with each request of 2026-07-28, where they are those of the caller.
 */
export const declaringFeatures = <M extends object>(message: M, features: ClientFeatures): M => {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'initialize') return message;
  return { ...message, params: { ...(params as OpenRecord), capabilities: { ...features } } };
};
