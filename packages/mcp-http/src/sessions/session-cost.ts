/** The state of a session that an eviction ends. */
interface SessionUse {
  readonly calls: { readonly size: number };
  readonly streams: { readonly size: number };
  readonly subscriptions?: { readonly size: number };
  readonly notificationChannels?: { readonly size: number };
}

/** Returns the cost of an eviction for the client: nothing, its subscriptions, its open streams or its calls. */
export const costOf = (session: SessionUse): number => {
  if (session.calls.size > 0) return 3;
  if (session.streams.size > 0) return 2;
  return (session.subscriptions?.size ?? 0) + (session.notificationChannels?.size ?? 0) === 0
    ? 0
    : 1;
};

/** Returns whether a session has no call and no stream. */
export const isIdle = ({ calls, streams }: SessionUse): boolean =>
  calls.size === 0 && streams.size === 0;
