export type {
  AskOptions,
  Caller,
  ClientAnswer,
  DownstreamError,
  DownstreamOutcome,
  RequestOptions,
} from './call.ts';
export type { ClientFeatures } from './callers/client-features.ts';
export type { ClientInfo } from './connection/client-session.ts';
export type { ControlOutcome } from './supervision/control.ts';
export type { ResolveHost } from './detect/resolve-host.ts';
export { detectServer } from './detect/detect-server.ts';
export type { DetectOptions, DetectOutcome, DetectQuestion } from './detect/detect-server.ts';
export { createDownstream } from './create-downstream.ts';
export type { Downstream, DownstreamOptions } from './downstream.ts';
export { downstreamErrorText } from './error-text.ts';
export { connectDownstreamHub } from './hub/connect-downstream-hub.ts';
export type { HubClientOptions } from './hub/connect-downstream-hub.ts';
export type { HubPort } from './hub/hub-port.ts';
export { serveDownstreamHub } from './hub/serve-downstream-hub.ts';
export type { DownstreamHubOptions } from './hub/serve-downstream-hub.ts';
export type {
  BackoffPolicy,
  DownstreamBounds,
  DownstreamTimeouts,
  HealthPolicy,
  RelistPolicy,
} from './limits.ts';
export type { DownstreamLog, DownstreamLogEvent } from './log-event.ts';
export type { Completion, PromptGet, ResourceRead, ToolCall } from './requests/requests.ts';
export type { SubscribeOutcome, UpdateListener } from './lists/resource-subscriptions.ts';
export type { ServerFeatures } from './lists/server-features.ts';
export type { ServerHealth, ServerView } from './supervision/server-view.ts';
export type { DeclaredToolsStore } from './trust/declared-tools-store.ts';
export type { HintWidened } from './trust/hint-widened.ts';
export type { AcceptOutcome, ToolChange, ToolField } from './trust/tool-change.ts';
