export type { Result } from '@gateway/toolset-grammar';
export {
  createAgentManagerClient,
  type AgentManagerClient,
  type AgentManagerClientOptions,
  type CallOptions,
  type ClientInput,
} from './client/create-agent-manager-client.ts';
export type { ClientResult } from './client/parse-response.ts';
export { MAX_BODY_BYTES, MAX_ICON_CHARS, MAX_NAME_CHARS, MAX_URL_CHARS } from './limits.ts';
export {
  validateMetadata,
  validateModelConfig,
  validateName,
  validateObjectName,
} from './names/validate-names.ts';
export { GIT_URL_START, isGitRef } from './arguments/reference-problem.ts';
export { ICON_URL_START, validateIconUrl } from './arguments/reference-problem.ts';
export { validateSkills } from './arguments/reference-problem.ts';
export {
  createOpenApiDocument,
  type OpenApiDocument,
  type OpenApiOptions,
} from './openapi/open-api-document.ts';
export { formatOpenApiYaml } from './openapi/open-api-yaml.ts';
export { INSTRUCTIONS } from './operations/operations.ts';
export { toInputSchema, toOutputSchema, type JsonSchema } from './operations/operations.ts';
export type { InlinePart, InlineText } from './reference/operations-reference.ts';
export {
  createOperationsReference,
  type OperationsReference,
  type OperationsReferenceOptions,
} from './reference/operations-reference.ts';
export type { ReferenceField } from './reference/operations-reference.ts';
export type { ReferenceOperation } from './reference/operations-reference.ts';
export type { ObjectFacts } from './refusals/refusals.ts';
export { HTTP_REFUSALS, type HttpRefusal } from './refusals/refusals.ts';
export { REFUSALS } from './refusals/refusals.ts';
export {
  findOperation,
  type FoundOperation,
  type PathArguments,
} from './requests/find-operation.ts';
export { hasBody } from './requests/find-operation.ts';
export type { HttpCall, HttpRequest } from './requests/find-operation.ts';
export { writeRequest } from './requests/write-request.ts';
export { readRequest } from './requests/read-request.ts';
export { readDeclaredToolset, type DeclaredToolset } from './toolset/declared-toolset.ts';
export { SHIPPED_PRESETS, validateToolNames } from './toolset/toolset-problem.ts';
export type { Operation, OperationHints } from './operations/operations.ts';
export {
  OPERATIONS,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from './operations/operations.ts';
export {
  formatError,
  formatReason,
  isRefusal,
  createRefusal,
  refuse,
  REFUSAL_STATUS,
  type ClientOutcome,
  type ClientError,
  type ClientFailure,
  type ClientFailureCode,
  type AgentRefusal,
  type AgentRefusalCode,
} from './refusals/refusal.ts';
export type { Agent } from './schemas/answers.ts';
export type { Info, ModelConfigList, SkillList } from './schemas/answers.ts';
export type {
  AgentList,
  CreateResult,
  DeleteResult,
  AgentManifests,
  UpdateResult,
  ValidateResult,
} from './schemas/answers.ts';
export type { AgentStatus } from './schemas/answers.ts';
export { validateToolset } from './toolset/toolset-problem.ts';
export { listToolsetWarnings } from './toolset/toolset-problem.ts';
export type { OperationDraft } from './arguments/parse-arguments.ts';
export { parseArguments } from './arguments/parse-arguments.ts';
