import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { JsonObject } from '@gateway/call-contract';
import type { OutgoingRequest } from './outgoing-requests.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';

/** The features of a connected server besides its lists. */
export interface ServerFeatures {
  /** The server completes arguments of prompts and resource templates. */
  readonly completions: boolean;
  /** The server announces changes of single resources. */
  readonly resourceSubscriptions: boolean;
  /** The server sends log messages. */
  readonly logging: boolean;
}

/** Returns the features that a server declares. */
export const serverFeatures = (capabilities: ServerCapabilities): ServerFeatures => ({
  completions: capabilities.completions !== undefined,
  resourceSubscriptions: capabilities.resources?.subscribe === true,
  logging: capabilities.logging !== undefined,
});

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

/** The two handshakes of MCP connections: `initialize`, or `server/discover` since 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** Returns the method of the smallest request of a handshake's revisions. */
export const smallestRequest = (era: Era): string =>
  era === 'modern' ? 'server/discover' : 'ping';

/** A live connection as requests use it. */
export interface RequestConnection {
  readonly era: Era;
  readonly features: ServerFeatures;
  /** Sends one request. Never rejects and never sends it twice. */
  request(request: OutgoingRequest): Promise<RequestOutcome>;
  /** Begins a call, which has one request or several. A connection that is replaced because of new values stays open until its calls end. */
  enter(): void;
  /** Ends a call. */
  leave(): void;
}
