export {
  API_VERSION,
  DEFAULT_API_GROUP,
  DEFAULT_LABEL_DOMAIN,
  UNKNOWN_FIELD,
  type ValidationIssue,
  formatApiVersion,
  formatError,
} from './fields/validation-issue.ts';
export {
  DEFAULT_NAMESPACE,
  MAX_ISSUES,
  MAX_RESOURCE_BYTES,
  MAX_SERVER_DESCRIPTION_CHARS,
} from './fields/limits.ts';
export {
  type AuthStrategy,
  type AuthorizationServer,
  type ClientCredentialsSecretRef,
  type DisabledTokenExchange,
  type EnabledTokenExchange,
  MCP_SERVER_KIND,
  type McpServer,
  type McpServerAuth,
  type McpServerFamily,
  type McpServerProtocol,
  type McpServerSpec,
  type McpServerType,
  type Placeholder,
  type PlaceholderText,
  type RemoteServerSpec,
  type RemoteServerType,
  type StdioServerSpec,
  type TokenExchange,
  applyStopRequest,
  formatStopAnnotation,
  hasPlaceholders,
  isStopRequested,
  listConnectionValues,
  listPlaceholderTexts,
  listPlaceholderWarnings,
  listPlaceholders,
  parseMcpServer,
  replacePlaceholders,
  resolveAuthStrategy,
  resolveExpectedIssuer,
} from './mcp-server/mcp-server.ts';
export { REFUSED_ELSEWHERE, SECRET_FIELDS } from './documents/field-lists.ts';
export {
  formatReference,
  resolveKeyReference,
  findValueProblem,
  type ArgumentText,
  type KeyReference,
  type ReferenceKind,
  type ObjectKeyReference,
  type ReferenceValues,
  type ValueReference,
  type ValueUse,
} from './mcp-server/value-reference.ts';
export {
  findDestinationChange,
  formatMisdirectedValues,
  type MisdirectedValue,
  findPlaceholderField,
  findSecretReference,
  removeMisdirectedValues,
} from './mcp-server/secret-destination.ts';
export { MCP_SERVER_TYPES } from './mcp-server/spec-fields.ts';
export { type RequestLimitFields, type ToolRule } from './mcp-server/tool-rule-fields.ts';
export {
  REMOTE_STATES,
  STDIO_STATES,
  type McpServerState,
  type RemoteState,
  type StdioState,
  type McpServerStatus,
} from './mcp-server/mcp-server-status.ts';
export type { ObjectMetadata, StatusCondition } from './fields/fields.ts';
export {
  ITEMS,
  type CelRule,
  type ResourceKind,
  type RuleReason,
  listCelRules,
} from './rules/cel-rules.ts';
export { evaluateRules } from './rules/evaluate-rules.ts';
export type { JsonMap, JsonValue } from '@gateway/go-template';
export type { Result } from '@gateway/toolset-grammar';
export {
  EXECUTION_STATUSES,
  type ExecutionRecord,
  type RunStarter,
  type ExecutionStatus,
  type StepRecord,
  type StepStatus,
} from './workflow/execution-record.ts';
export {
  parseExecutionRecord,
  toExecutionSpec,
  parseExecution,
  WORKFLOW_EXECUTION_KIND,
} from './workflow/parse-execution-record.ts';
export {
  type ArgumentDefinition,
  type ArgumentType,
  type Condition,
  type Expectation,
  type Expectations,
  type ForEachStep,
  type ParallelStep,
  type ResultPlace,
  type Step,
  type SubStep,
  type Templated,
  type ToolStep,
  type ValueExpectation,
  WORKFLOW_KIND,
  type Workflow,
  type WorkflowSpec,
  toWorkflowDocument,
} from './workflow/workflow.ts';
export {
  mergeWorkflowStatus,
  type WorkflowStatus,
  computeWorkflowStatus,
  type WorkflowFindings,
} from './workflow/workflow-status.ts';
export { DEBUG_ARGUMENT, isArgumentValue } from './workflow/spec-fields.ts';
export {
  type DefinitionOptions,
  WORKFLOW_DEFINITION_SCHEMA,
  parseWorkflowDefinition,
} from './workflow/workflow-definition.ts';
export { parseWorkflow, type WorkflowReview } from './workflow/parse-workflow.ts';
export {
  type WorkflowWarning,
  formatWarning,
  listReferencedTools,
  listRequiredTools,
} from './workflow/step-places.ts';
export {
  formatCrd,
  createCustomResourceDefinition,
  type CustomResourceKind,
} from './schema/custom-resource-definition.ts';
export {
  createJsonSchema,
  listServerArguments,
  findServerBounds,
  type SchemaOptions,
  type ServerArgument,
} from './schema/json-schema-of.ts';
export { renderFieldReference } from './schema/field-reference.ts';
export type {
  ConditionDocument,
  McpServerDocument,
  StdioServerSpecDocument,
  StepDocument,
  WorkflowDocument,
} from './documents/documents.ts';
