export { listDeclaredToolNames } from './lists/trust/server-ledger.ts';
export type { CallTime, DownstreamError, DownstreamOutcome } from './requests/requests.ts';
export { findToolRules } from './wire/tool-rules.ts';
export type { UserServer } from './views/user-views.ts';
export type { ControlOutcome } from './connections/server-control.ts';
export { TOKENS_ALLOWED } from './views/fleet-views.ts';
export { detectServer } from './detect/detect-server.ts';
export { createDownstream } from './create-downstream.ts';
export type { Downstream, DownstreamOptions } from './downstream.ts';
export { formatDownstreamError } from './requests/requests.ts';
export { readEnvelopeVersion, HttpHeaders } from './wire/http/http-channel.ts';
export { DEFAULT_USERS } from './connections/policy.ts';
export {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_HEALTH,
  DEFAULT_TIMEOUTS,
} from './wire/limits.ts';
