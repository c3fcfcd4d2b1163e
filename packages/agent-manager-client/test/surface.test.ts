import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).toSorted()).toEqual([
    ...['GIT_URL_START', 'HTTP_REFUSALS', 'ICON_URL_START', 'INSTRUCTIONS', 'MAX_BODY_BYTES'],
    ...['MAX_ICON_CHARS', 'MAX_NAME_CHARS', 'MAX_URL_CHARS', 'OPERATIONS', 'REFUSALS'],
    ...['REFUSAL_STATUS', 'SHIPPED_PRESETS', 'createAgentManagerClient', 'createOpenApiDocument'],
    ...['createOperationsReference', 'createRefusal', 'findOperation', 'formatError'],
    ...['formatOpenApiYaml', 'formatReason', 'hasBody', 'isGitRef', 'isRefusal'],
    ...['listToolsetWarnings', 'parseArguments', 'readDeclaredToolset', 'readRequest', 'refuse'],
    ...['toInputSchema', 'toOutputSchema', 'validateIconUrl', 'validateMetadata'],
    ...['validateModelConfig', 'validateName', 'validateObjectName', 'validateSkills'],
    ...['validateToolNames', 'validateToolset', 'writeRequest'],
  ]);
});

it('has these statuses and bounds', () => {
  expect(surface.REFUSAL_STATUS).toEqual({
    invalid_request: 400,
    unauthenticated: 401,
    forbidden: 403,
    not_found: 404,
    conflict: 409,
    unsupported: 501,
    backend_error: 502,
  });
  expect([surface.MAX_BODY_BYTES, surface.MAX_NAME_CHARS]).toEqual([1_048_576, 63]);
});
