import type { JsonObject } from './json.ts';

/** A JSON-RPC notification. */
export interface Notification {
  readonly method: string;
  readonly params: JsonObject;
}

/** A channel to the session of a client. It outlives the call that opened it and retains nothing of that call. */
export interface NotificationChannel {
  /** Sends a notification on a stream of the session; drops it when there is no stream, or when the reader is too slow. */
  notify(notification: Notification): void;
  /** Registers a listener that runs once, when the channel closes: with its session, by `end`, or because a channel of the same name was opened. */
  onEnd(listener: () => void): void;
  end(): void;
}

/** An opened channel, or the reason why there is none. */
export type OpenedChannel =
  | { readonly ok: true; readonly channel: NotificationChannel }
  | {
      readonly ok: false;
      /** `no-session`: the client has no session; `no-stream`: its session has no stream that could carry notifications. */
      readonly code: 'no-session' | 'no-stream';
    };

/** The result of opening a channel to a client without a session. */
export const NO_SESSION: OpenedChannel = Object.freeze({ ok: false, code: 'no-session' });
