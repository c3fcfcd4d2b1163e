import type { OutgoingRequest } from './outgoing-requests.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import type { ServerFeatures } from './server-features.ts';

/** The two handshakes of MCP connections: `initialize`, or `server/discover` since 2026-07-28. */
export type Era = 'legacy' | 'modern';

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
