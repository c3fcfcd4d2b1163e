import type { Session } from './session-store.ts';

/** Returns the cost of an eviction for the client: nothing, its subscriptions, its open streams or its calls. */
export const costOf = (session: Session): number => {
  if (session.calls.size > 0) return 3;
  if (session.streams.size > 0) return 2;
  return (session.subscriptions?.size ?? 0) + (session.notificationChannels?.size ?? 0) === 0
    ? 0
    : 1;
};

/** Returns whether a session has no call and no stream. */
export const isIdle = ({ calls, streams }: Session): boolean =>
  calls.size === 0 && streams.size === 0;
