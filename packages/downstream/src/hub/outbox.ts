import type { FromHub } from './hub-message.ts';
import type { HubPort } from './hub-port.ts';

/** Characters that a reader may leave unread before answers are refused, and before notices are dropped. */
export interface OutboxBounds {
  readonly maxUnread: number;
  readonly maxUnreadNotices: number;
}

/** Defaults for production: with them a stuck reader costs its hub at most 256 MiB of text. */
export const DEFAULT_OUTBOX_BOUNDS: OutboxBounds = {
  maxUnread: 256 * 1024 * 1024,
  maxUnreadNotices: 1024 * 1024,
};

/** The way to one reader, which says how much it has read. */
export interface Outbox {
  /** Sends what has a small size of its own kind and is never held back. */
  post(message: FromHub): void;
  /** Sends a text unless too much is unread. @returns whether it was sent */
  offer(message: FromHub & { readonly text: string }): boolean;
  /** Sends something that may get lost, such as a progress report. */
  mention(message: FromHub & { readonly text: string }): void;
  /** The reader has read so much more. */
  read(size: number): void;
}

/** An outbox in front of a port. An empty one takes a text of any size. */
export const createOutbox = (port: HubPort, bounds: OutboxBounds): Outbox => {
  let unread = 0;
  const offer = (message: FromHub & { readonly text: string }, max: number): boolean => {
    const size = message.text.length;
    if (unread > 0 && unread + size > max) return false;
    unread += size;
    port.send(message);
    return true;
  };
  return {
    post(message) {
      if ('text' in message) unread += message.text.length;
      port.send(message);
    },
    offer: (message) => offer(message, bounds.maxUnread),
    mention: (message) => void offer(message, bounds.maxUnreadNotices),
    read(size) {
      unread = Math.max(0, unread - size);
    },
  };
};
