import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'ADMIN_SCOPE',
    'ANONYMOUS',
    'FairQueue',
    'GATEWAY_SCOPES',
    'InFlightMap',
    'NO_SESSION',
    'NestedCallContext',
    'READ_SCOPE',
    'RPC_CODE',
    'WORKFLOW_TOOL_PREFIX',
    'computeBackoffDelay',
    'createPrincipal',
    'escapeInvisible',
    'findText',
    'formatScopeRefusal',
    'isAdministrator',
    'isJsonObject',
    'isResolvedWithin',
    'isText',
    'parseTraceContext',
    'raceLimit',
    'readOwnField',
    'resolveSchemaReference',
    'toLegacyOutputSchema',
    'toList',
    'toObject',
    'toObjects',
    'toPrincipal',
    'toText',
    'toTexts',
    'withOverrides',
  ]);
});

it('fixes the JSON-RPC error codes', () => {
  expect(surface.RPC_CODE).toEqual({
    parse: -32_700,
    invalidRequest: -32_600,
    methodNotFound: -32_601,
    invalidParams: -32_602,
    internal: -32_603,
    transport: -32_000,
    sessionNotFound: -32_001,
    timeout: -32_001,
    resourceNotFound: -32_002,
    headerMismatch: -32_020,
    missingClientCapability: -32_021,
  });
});
