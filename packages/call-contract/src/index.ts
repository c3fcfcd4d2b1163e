export { backoffDelay, type Backoff } from './backoff-delay.ts';
export { NestedCallContext, type CallContext } from './call-context.ts';
export type { CallOutcome, CallResult } from './call-outcome.ts';
export type { AskOptions, Caller, ClientAnswer, ClientRequest } from './caller.ts';
export { FairQueue, type Turn } from './fair-queue.ts';
export type { IdTokenOutcome, IdTokenSource, WantedIdToken } from './id-token-source.ts';
export { InFlight } from './in-flight.ts';
export { escapeInvisible, isJsonObject, type JsonObject, type JsonValue } from './json.ts';
export { legacyOutputSchema, referencedSchema } from './legacy-output-schema.ts';
export {
  NO_SESSION,
  type Notification,
  type NotificationChannel,
  type OpenedChannel,
} from './notification-channel.ts';
export {
  ANONYMOUS,
  principalOfKey,
  signedInPrincipal,
  type Principal,
  type SignedInFacts,
} from './principal.ts';
export type { ProgressReport } from './progress-report.ts';
export { RPC_CODE, type RpcError } from './rpc-error.ts';
export { parseTraceContext, type TraceContext } from './trace-context.ts';
