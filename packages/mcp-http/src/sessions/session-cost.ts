/** The state of a session that an eviction ends. */
interface SessionUse {
  readonly calls?: { readonly size: number };
  readonly streams?: { readonly size: number };
  readonly subscriptions?: { readonly size: number };
  readonly notificationChannels?: { readonly size: number };
}

/** Returns the cost of an eviction for the client: nothing, its subscriptions, its open streams or its calls. */
export const costOf = (session: SessionUse): number => {
  if (hasAny(session.calls)) return 3;
  if (hasAny(session.streams)) return 2;
  return (session.subscriptions?.size ?? 0) + (session.notificationChannels?.size ?? 0) === 0
    ? 0
    : 1;
};

/** Returns whether a session has no call and no stream. */
export const isIdle = ({ calls, streams }: SessionUse): boolean =>
  !hasAny(calls) && !hasAny(streams);

const hasAny = (of: { readonly size: number } | undefined): boolean =>
  of !== undefined && of.size > 0;
