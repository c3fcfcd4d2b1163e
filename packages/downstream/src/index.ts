export type { DownstreamError, DownstreamOutcome, RequestOptions } from './requests/call.ts';
export type { ClientFeatures } from './requests/client-features.ts';
export type { ClientInfo } from './connection/client-session.ts';
export type { ControlOutcome } from './supervision/control.ts';
export type { ResolveHost } from './detect/resolve-host.ts';
export { detectServer } from './detect/detect-server.ts';
export type { DetectOptions, DetectOutcome, DetectQuestion } from './detect/detect-server.ts';
export { createDownstream } from './supervision/create-downstream.ts';
export type { Downstream, DownstreamOptions } from './supervision/downstream.ts';
export { downstreamErrorText } from './requests/error-text.ts';
export { connectDownstreamHub } from './hub/connect-downstream-hub.ts';
export type { HubClientOptions } from './hub/connect-downstream-hub.ts';
export { serveDownstreamHub } from './hub/serve-downstream-hub.ts';
export type { DownstreamHubOptions } from './hub/serve-downstream-hub.ts';
export {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_HEALTH,
  DEFAULT_TIMEOUTS,
} from './wire/limits.ts';
export type {
  BackoffPolicy,
  DownstreamBounds,
  DownstreamTimeouts,
  HealthPolicy,
  RelistPolicy,
} from './wire/limits.ts';
export type { DownstreamLog, DownstreamLogEvent } from './wire/log-event.ts';
export type { Completion, PromptGet, ResourceRead, ToolCall } from './requests/requests.ts';
export type { SubscribeOutcome, UpdateListener } from './lists/resource-subscriptions.ts';
export type { ServerFeatures } from './requests/server-features.ts';
export type { ServerHealth } from './supervision/machine/phase-table.ts';
export type { ServerView } from './supervision/server-view.ts';
export type { DeclaredToolsStore } from './lists/trust/declared-tools-store.ts';
export type { HintWidened } from './lists/trust/hint-widened.ts';
export type { AcceptOutcome, ToolChange, ToolField } from './lists/trust/tool-change.ts';
