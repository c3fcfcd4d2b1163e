export type {
  AskOptions,
  Caller,
  ClientAnswer,
  DownstreamError,
  DownstreamOutcome,
  RequestOptions,
} from './call.ts';
export type { ClientInfo } from './client-session.ts';
export type { ControlOutcome } from './control.ts';
export { createDownstream } from './create-downstream.ts';
export type { Downstream, DownstreamOptions } from './downstream.ts';
export { downstreamErrorText } from './error-text.ts';
export type {
  BackoffPolicy,
  DownstreamBounds,
  DownstreamTimeouts,
  RelistPolicy,
} from './limits.ts';
export type { DownstreamLog, DownstreamLogEvent } from './log-event.ts';
export type { PromptGet, ResourceRead, ToolCall } from './requests.ts';
export type { ServerView } from './server-view.ts';
