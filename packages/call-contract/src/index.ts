export type { AuthenticationOutcome } from './authentication.ts';
export type {
  AcceptOutcome,
  ConfigurationOutcome,
  DetectOutcome,
  DetectQuestion,
  RestrictedWrite,
  ServerWriteOutcome,
  WriteOutcome,
} from './command-outcomes.ts';
export type {
  RecordBlobs,
  RecordText,
  SharedBlobs,
  SharedBlobsListener,
  StoredSummary,
} from './record-blobs.ts';
export type {
  Credential,
  CredentialChange,
  CredentialKind,
  CredentialOutcome,
  NoCredential,
  Rejection,
  ServerCredentials,
} from './server-credentials.ts';
export type {
  FailureCode,
  NameConflict,
  NameConflicts,
  ServerFeatures,
  ServerHealth,
  ServerView,
  ToolChange,
} from './server-view.ts';
export { computeBackoffDelay, type Backoff } from './backoff-delay.ts';
export {
  NestedCallContext,
  type CallContext,
  type CallRecord,
  ANONYMOUS,
  toPrincipal,
  createPrincipal,
  type Principal,
  type SignedInFacts,
  parseTraceContext,
  type TraceContext,
} from './call-context.ts';
export { type CallOutcome, type CallResult, RPC_CODE, type RpcError } from './call-outcome.ts';
export {
  type AskOptions,
  type Caller,
  type ClientAnswer,
  type ClientRequest,
  NO_SESSION,
  type Notification,
  type NotificationChannel,
  type OpenedChannel,
  type ProgressReport,
} from './caller.ts';
export { withOverrides } from './overridden-caller.ts';
export { FairQueue, type Turn } from './fair-queue.ts';
export type { IdTokenOutcome, IdTokenSource, IdTokenRequirements } from './id-token-source.ts';
export { InFlightMap } from './in-flight.ts';
export {
  escapeInvisible,
  findText,
  isJsonObject,
  isText,
  type JsonObject,
  type JsonValue,
  readOwnField,
  toList,
  toObject,
  toObjects,
  toText,
  toTexts,
} from './json.ts';
export { toLegacyOutputSchema, resolveSchemaReference } from './legacy-output-schema.ts';
export { raceLimit, isResolvedWithin } from './race-limit.ts';
export {
  ADMIN_SCOPE,
  formatScopeRefusal,
  GATEWAY_SCOPES,
  type GatewayScope,
  isAdministrator,
  READ_SCOPE,
} from './scopes.ts';
export { WORKFLOW_TOOL_PREFIX } from './workflow-tool.ts';
