import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'API_VERSION',
    'DEBUG_ARGUMENT',
    'DEFAULT_API_GROUP',
    'DEFAULT_LABEL_DOMAIN',
    'DEFAULT_NAMESPACE',
    'EXECUTION_STATUSES',
    'ITEMS',
    'MAX_ISSUES',
    'MAX_RESOURCE_BYTES',
    'MAX_SERVER_DESCRIPTION_CHARS',
    'MCP_SERVER_KIND',
    'MCP_SERVER_TYPES',
    'REFUSED_ELSEWHERE',
    'REMOTE_STATES',
    'SECRET_FIELDS',
    'STDIO_STATES',
    'UNKNOWN_FIELD',
    'WORKFLOW_DEFINITION_SCHEMA',
    'WORKFLOW_EXECUTION_KIND',
    'WORKFLOW_KIND',
    'applyStopRequest',
    'computeWorkflowStatus',
    'createCustomResourceDefinition',
    'createJsonSchema',
    'evaluateRules',
    'findDestinationChange',
    'findMisdirectedValues',
    'findPlaceholderField',
    'findSecretReference',
    'findServerBounds',
    'findValueProblem',
    'formatApiVersion',
    'formatCrd',
    'formatError',
    'formatMisdirectedValues',
    'formatStopAnnotation',
    'formatWarning',
    'hasPlaceholders',
    'isArgumentValue',
    'isStopRequested',
    'listCelRules',
    'listConnectionValues',
    'listPlaceholderTexts',
    'listPlaceholderWarnings',
    'listPlaceholders',
    'listReferencedTools',
    'listRequiredTools',
    'listServerArguments',
    'mergeWorkflowStatus',
    'parseExecution',
    'parseExecutionRecord',
    'parseMcpServer',
    'parseWorkflow',
    'parseWorkflowDefinition',
    'renderFieldReference',
    'replacePlaceholders',
    'resolveAuthStrategy',
    'resolveExpectedIssuer',
    'resolveKeyReference',
    'toExecutionSpec',
    'toWorkflowDocument',
  ]);
});

it('has these constants', () => {
  expect(surface.DEFAULT_API_GROUP).toBe('gateway.internal');
  expect(surface.DEFAULT_LABEL_DOMAIN).toBe('gateway.internal');
  expect(surface.formatApiVersion()).toBe('gateway.internal/v1alpha1');
});

it('has these texts', () => {
  expect(surface.listCelRules('MCPServer').map(({ id, message }) => [id, message])).toEqual([
    ['command-required', 'command is required when type is stdio'],
    ['url-required', 'url is required when type is streamable-http or sse'],
    ['args-only-stdio', 'args field is only allowed when type is stdio'],
    ['cwd-only-stdio', 'cwd field is only allowed when type is stdio'],
    ['start-timeout-only-stdio', 'startTimeout field is only allowed when type is stdio'],
    ['headers-only-remote', 'headers field is only allowed when type is streamable-http or sse'],
    [
      'auth-only-remote',
      'auth configuration is only supported for remote server types (streamable-http or sse)',
    ],
    ['authorization-server-needs-oauth', 'authorizationServer is only valid when type is oauth'],
    [
      'authorization-server-excludes-forward-token',
      'forwardToken bypasses per-backend OAuth; set one or the other, not both',
    ],
    [
      'authorization-server-excludes-token-exchange',
      'tokenExchange has its own issuer/endpoint config; set one or the other, not both',
    ],
    ['token-endpoint-required', 'dexTokenEndpoint is required when enabled is true'],
    ['connector-required', 'connectorId is required when enabled is true'],
    ['env-from-only-stdio', 'envFrom field is only allowed when type is stdio'],
    [
      'headers-from-only-remote',
      'headersFrom field is only allowed when type is streamable-http or sse',
    ],
    ['env-from-excludes-env', 'a variable is either in env or in envFrom'],
    ['env-from-unique', 'each variable of envFrom has another name'],
    ['headers-from-excludes-headers', 'a header is either in headers or in headersFrom'],
    ['headers-from-unique', 'each header of headersFrom has another name'],
    ['reference-has-one-object', 'exactly one of secretKeyRef and configMapKeyRef is required'],
    ['reference-has-one-object', 'exactly one of secretKeyRef and configMapKeyRef is required'],
  ]);
});

it('has these texts about workflows', () => {
  const texts = new Map(surface.listCelRules('Workflow').map(({ id, message }) => [id, message]));
  expect([...texts]).toEqual([
    ['steps-not-empty', 'workflow must have at least one step'],
    ['step-kind-required', 'one of tool, forEach, or parallel is required'],
    ['tool-excludes-composites', 'tool is mutually exclusive with forEach/parallel'],
    ['composites-exclude-each-other', 'forEach and parallel are mutually exclusive'],
    ['for-each-not-empty', 'forEach.steps must contain at least one sub-step'],
    ['parallel-not-empty', 'parallel must contain at least one sub-step'],
    ['condition-source-required', 'condition requires exactly one of template, tool, or fromStep'],
    ['condition-template-alone', 'condition.template is mutually exclusive with tool/fromStep'],
    [
      'condition-one-source',
      'condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)',
    ],
    ['condition-needs-expectation', 'a tool or fromStep condition requires expect or expectNot'],
    ['expect-not-empty', 'either success or jsonPath must be provided'],
    ['expect-not-not-empty', 'either success or jsonPath must be provided'],
  ]);
});

it('has these words of workflows', () => {
  expect(surface.WORKFLOW_KIND).toBe('Workflow');
  expect(surface.DEBUG_ARGUMENT).toBe('_debug');
  expect(surface.EXECUTION_STATUSES).toEqual(['inprogress', 'completed', 'failed']);
});
