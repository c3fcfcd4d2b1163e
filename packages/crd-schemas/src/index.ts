export {
  API_VERSION,
  DEFAULT_API_GROUP,
  DEFAULT_LABEL_DOMAIN,
  apiVersionOf,
} from './resource/api-group.ts';
export {
  DEFAULT_NAMESPACE,
  DEFAULT_TIMEOUT_SECONDS,
  MAX_ISSUES,
  MAX_RESOURCE_BYTES,
  MAX_SERVER_DESCRIPTION_CHARS,
  MAX_START_TIMEOUT_SECONDS,
  MAX_TIMEOUT_SECONDS,
  MIN_START_TIMEOUT_SECONDS,
  MIN_TIMEOUT_SECONDS,
} from './resource/limits.ts';
export { authStrategyOf, expectedIssuerOf, type AuthStrategy } from './mcp-server/auth-strategy.ts';
export {
  MCP_SERVER_KIND,
  type AuthorizationServer,
  type ClientCredentialsSecretRef,
  type DisabledTokenExchange,
  type EnabledTokenExchange,
  type McpServer,
  type McpServerAuth,
  type McpServerFamily,
  type McpServerProtocol,
  type McpServerSpec,
  type McpServerType,
  type RemoteServerSpec,
  type RemoteServerType,
  type StdioServerSpec,
  type TokenExchange,
} from './mcp-server/mcp-server.ts';
export { parseMcpServer, type ParsedMcpServer } from './mcp-server/parse-mcp-server.ts';
export { isStopRequested, stopAnnotation, withStopRequest } from './mcp-server/stop-request.ts';
export {
  referencedKeyOf,
  referencedValueProblem,
  type KeyReference,
  type ReferencedKind,
  type ReferencedObjectKey,
  type ReferencedValues,
  type ValueReference,
  type ValueUse,
} from './mcp-server/value-reference.ts';
export {
  changedDestination,
  valuesElsewhere,
  valuesElsewhereText,
  type ValueElsewhere,
  placeholderFieldIn,
  secretReferenceIn,
} from './mcp-server/secret-destination.ts';
export {
  bareNamesIn,
  hasPlaceholders,
  placeholdersIn,
  placeholderTextsOf,
  placeholderWarnings,
  replacePlaceholders,
  type Placeholder,
  type PlaceholderText,
} from './mcp-server/placeholder.ts';
export {
  MCP_SERVER_INSTANCES,
  MCP_SERVER_PROTOCOLS,
  MCP_SERVER_TYPES,
} from './mcp-server/spec-fields.ts';
export {
  REMOTE_STATES,
  STDIO_STATES,
  type McpServerState,
  type RemoteState,
  type StdioState,
} from './mcp-server/states.ts';
export { UNKNOWN_FIELD } from './fields/issues-of-zod.ts';
export type { ObjectMetadata } from './fields/object-metadata.ts';
export {
  issuePathText,
  problemText,
  validationIssueText,
  type ValidationIssue,
} from './resource/validation-issue.ts';
export { ITEMS, type CelRule, type ResourceKind, type RuleReason } from './rules/cel-rule.ts';
export { celRulesOf } from './rules/cel-rules-of.ts';
export { evaluateRules } from './rules/evaluate-rules.ts';
export { RULES_OUTSIDE_CEL, type RuleOutsideCel } from './rules/rules-outside-cel.ts';
export type { JsonMap, JsonValue } from '@gateway/go-template';
export {
  EXECUTION_STATUSES,
  type ExecutionRecord,
  type RunStarter,
  type ExecutionStatus,
  type StepRecord,
  type StepStatus,
} from './workflow/execution/execution-record.ts';
export {
  ARGUMENT_TYPES,
  WORKFLOW_KIND,
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
  type Workflow,
  type WorkflowSpec,
} from './workflow/model/workflow.ts';
export { statusAfter } from './workflow/status/status-after.ts';
export type { StatusCondition } from './resource/status-condition.ts';
export type { McpServerStatus } from './mcp-server/mcp-server-status.ts';
export type { WorkflowStatus } from './workflow/status/workflow-status.ts';
export { DEBUG_ARGUMENT } from './workflow/fields/argument-fields.ts';
export { argumentFits } from './workflow/fields/argument-fits.ts';
export {
  parseExecutionRecord,
  type ParsedExecutionRecord,
} from './workflow/execution/parse-execution-record.ts';
export {
  parseWorkflowDefinition,
  type DefinitionOptions,
  type ParsedWorkflowDefinition,
} from './workflow/definition/parse-workflow-definition.ts';
export {
  executionSpec,
  recordOfExecution,
  WORKFLOW_EXECUTION_KIND,
} from './workflow/execution/execution-document.ts';
export { parseWorkflow, type ParsedWorkflow } from './workflow/parsing/parse-workflow.ts';
export { referencedToolsOf, requiredToolsOf } from './workflow/model/referenced-tools.ts';
export { WORKFLOW_DEFINITION_SCHEMA } from './workflow/definition/workflow-definition-schema.ts';
export { workflowDocument } from './workflow/model/workflow-document.ts';
export { workflowStatusOf, type WorkflowFindings } from './workflow/status/workflow-status-of.ts';
export { workflowWarningText, type WorkflowWarning } from './workflow/parsing/workflow-warnings.ts';
export { crdYaml } from './crd/crd-yaml.ts';
export { customResourceDefinition, type DefinedKind } from './crd/custom-resource-definition.ts';
export { authJsonSchema, jsonSchemaOf, type SchemaOptions } from './schema/json-schema-of.ts';
export { fieldReference } from './schema/field-reference.ts';
export type { McpServerDocument, StdioServerSpecDocument } from './documents/mcp-server.ts';
export type { ConditionDocument, StepDocument, WorkflowDocument } from './documents/workflow.ts';
