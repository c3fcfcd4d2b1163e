import type { RateLimit } from '../admission/rate-limiter.ts';
import type { Peers } from '../peers/peers.ts';
import type { RequestAuthenticator } from '../protocol/authenticated.ts';
import type { SessionRecords } from '../sessions/session-records.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { RefusalCode } from '../protocol/refusal.ts';
import type { ProxyOptions } from '../wire/caller-address.ts';
import type { HostGuardOptions } from './host-guard.ts';

/** How to serve a service over HTTP. */
export interface McpHttpOptions
  extends HostGuardOptions, ProxyOptions, Partial<RequestAuthenticator> {
  readonly limits?: Partial<McpHttpLimits>;
  /**
   * Secret that signs session ids, at least 32 random bytes. Replicas that are given the same one serve each other's sessions;
   * without it sessions are good for this process only.
   */
  readonly sessionKey?: Uint8Array;
  /** An earlier `sessionKey`, while replicas get a new one: sessions that it signed continue. */
  readonly previousSessionKey?: Uint8Array;
  /** Serves the transport of 2024-11-05 too, at the paths of `McpHttp.routes`; not by default. */
  readonly legacySse?: boolean;
  /** Rate of the requests of each caller; unlimited when absent. */
  readonly rateLimit?: Partial<RateLimit>;
  /** The other processes behind the same address; they need the same `sessionKey`. */
  readonly peers?: Peers;
  /** The records of sessions that processes of several machines share; they need the same `sessionKey`. */
  readonly sessionRecords?: SessionRecords;
  /**
   * Called for every refused request, with the key under which its caller is counted: its principal, otherwise its address; and the
   * reason of refused credentials.
   */
  readonly onRefusal?: (code: RefusalCode, caller: string, reason: string | undefined) => void;
  /** Called with errors that callers receive as an internal error. */
  readonly onError?: (error: unknown) => void;
}
