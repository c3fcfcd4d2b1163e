import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () =>
  expect(Object.keys(surface).sort()).toEqual([
    'DEFAULT_ENGINE_LIMITS',
    'RETENTION_LIMITS',
    'compileValue',
    'createExecutionRecords',
    'createWorkflowEngine',
    'endedRecord',
    'executionList',
    'executionNotFoundText',
    'executionToolOf',
    'executionView',
    'renderValue',
    'workflowInputSchema',
    'workflowRefusalText',
  ]));
