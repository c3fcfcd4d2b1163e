import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'API_VERSION',
    'ARGUMENT_TYPES',
    'DEBUG_ARGUMENT',
    'DEFAULT_API_GROUP',
    'DEFAULT_LABEL_DOMAIN',
    'DEFAULT_NAMESPACE',
    'DEFAULT_TIMEOUT_SECONDS',
    'EXECUTION_STATUSES',
    'MAX_PATH_CHARS',
    'MAX_SERVER_DESCRIPTION_CHARS',
    'MAX_TEMPLATE_CHARS',
    'MAX_TEMPLATE_NESTING',
    'MAX_TIMEOUT_SECONDS',
    'MCP_SERVER_KIND',
    'MCP_SERVER_RULES',
    'MCP_SERVER_TYPES',
    'MIN_TIMEOUT_SECONDS',
    'REMOTE_STATES',
    'STDIO_STATES',
    'TEMPLATE_FUNCTIONS',
    'WORKFLOW_DEFINITION_SCHEMA',
    'WORKFLOW_KIND',
    'WORKFLOW_RULES',
    'apiVersionOf',
    'argumentFits',
    'authStrategyOf',
    'expectedIssuerOf',
    'isTemplate',
    'isTemplateFunctionName',
    'issuePathText',
    'parseExecutionRecord',
    'parseMcpServer',
    'parsePath',
    'parseTemplate',
    'parseWorkflow',
    'parseWorkflowDefinition',
    'pathProblem',
    'placeOf',
    'referencedToolsOf',
    'requiredToolsOf',
    'statusAfter',
    'templateFunctionArity',
    'templateProblem',
    'validationIssueText',
    'workflowDocument',
    'workflowStatusOf',
    'workflowWarningText',
  ]);
});

it('has these constants', () => {
  expect(surface.DEFAULT_API_GROUP).toBe('gateway.internal');
  expect(surface.DEFAULT_LABEL_DOMAIN).toBe('gateway.internal');
  expect(surface.apiVersionOf()).toBe('gateway.internal/v1alpha1');
});

it('has these texts', () => {
  expect(surface.MCP_SERVER_RULES.map(({ message }) => message)).toEqual([
    'command is required when type is stdio',
    'url is required when type is streamable-http or sse',
    'args field is only allowed when type is stdio',
    'headers field is only allowed when type is streamable-http or sse',
    'auth configuration is only supported for remote server types (streamable-http or sse)',
    'authorizationServer is only valid when type is oauth',
    'forwardToken bypasses per-backend OAuth; set one or the other, not both',
    'tokenExchange has its own issuer/endpoint config; set one or the other, not both',
    'dexTokenEndpoint is required when enabled is true',
    'connectorId is required when enabled is true',
  ]);
});

it('has these texts about workflows', () => {
  expect(surface.WORKFLOW_RULES.map(({ id, on, message }) => [id, on, message])).toEqual([
    ['steps-not-empty', 'spec', 'workflow must have at least one step'],
    ['step-kind-required', 'step', 'one of tool, forEach, or parallel is required'],
    ['tool-excludes-composites', 'step', 'tool is mutually exclusive with forEach/parallel'],
    ['composites-exclude-each-other', 'step', 'forEach and parallel are mutually exclusive'],
    ['for-each-not-empty', 'step', 'forEach.steps must contain at least one sub-step'],
    ['parallel-not-empty', 'step', 'parallel must contain at least one sub-step'],
    [
      'condition-source-required',
      'condition',
      'condition requires exactly one of template, tool, or fromStep',
    ],
    [
      'condition-template-alone',
      'condition',
      'condition.template is mutually exclusive with tool/fromStep',
    ],
    [
      'condition-one-source',
      'condition',
      'condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)',
    ],
    [
      'condition-needs-expectation',
      'condition',
      'a tool or fromStep condition requires expect or expectNot',
    ],
    ['expectation-not-empty', 'expectation', 'either success or jsonPath must be provided'],
  ]);
});

it('has these words of workflows', () => {
  expect(surface.WORKFLOW_KIND).toBe('Workflow');
  expect(surface.DEBUG_ARGUMENT).toBe('_debug');
  expect(surface.EXECUTION_STATUSES).toEqual(['inprogress', 'completed', 'failed']);
});
