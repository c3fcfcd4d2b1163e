import type { InFlight } from '@gateway/call-contract';
import type { EventStream } from '../wire/event-stream.ts';
import type { RpcId } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../protocol/mcp-service.ts';
import type { ResourceSubscriptions } from '../changes/resource-subscriptions.ts';
import type { NotificationChannels } from './notification-channels.ts';
import type { SessionStreams } from './session-streams.ts';

/** A stream of a session for messages that belong to no request. */
export interface SessionChannel {
  /** Sends a message that may be dropped when the reader lags behind. */
  notify(message: string): void;
  /** Closes the stream; it cannot be resumed. */
  close(): void;
  /** The request that reads the stream now. */
  readonly reader: StreamReader;
}

/** The request that reads a stream. */
export type StreamReader = Pick<RequestContext, 'principal' | 'header'>;

/** A call that runs in a session. */
export interface SessionCall {
  /** Ends the call for its caller, which waits for no answer. */
  cancel(reason: string): void;
}

/** One session of a 2025-era client: the state between its requests. It holds no toolset. */
export interface Session {
  readonly id: string;
  /** Protocol revision agreed at `initialize`. */
  readonly revision: string;
  /** The requests that the client accepts, as bits of `clientFeatures`. */
  readonly features: number;
  /** The least severe level of log messages that the client has asked for. */
  logLevel?: string;
  /** Calls that run, by the id of their request; made on first use, like the rest: most sessions of a busy endpoint are idle. */
  calls?: InFlight<RpcId, SessionCall>;
  /** Open `GET` streams, oldest first. */
  streams?: Set<EventStream>;
  /** Streams for messages of the session, oldest first. */
  channels?: Set<SessionChannel>;
  /** Streams that the client may come back to. */
  resumable?: SessionStreams;
  /** The resources that the client follows. */
  subscriptions?: ResourceSubscriptions;
  /** Channels to the client that outlive the calls that opened them. */
  notificationChannels?: NotificationChannels;
}
