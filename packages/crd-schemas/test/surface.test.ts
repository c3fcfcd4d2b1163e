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
    'findPlaceholderField',
    'findSecretReference',
    'findServerBounds',
    'findValueProblem',
    'formatApiVersion',
    'formatCrd',
    'formatError',
    'formatMisdirectedValues',
    'formatReference',
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
    'removeMisdirectedValues',
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
  expect(surface.WORKFLOW_KIND).toBe('Workflow');
  expect(surface.DEBUG_ARGUMENT).toBe('_debug');
  expect(surface.EXECUTION_STATUSES).toEqual(['inprogress', 'completed', 'failed']);
});
