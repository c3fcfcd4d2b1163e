import { expect, it } from 'vitest';
import { workflowRefusalText } from '../src/index.ts';

it('says in one sentence why a workflow is not run', () => {
  expect(workflowRefusalText({ code: 'workflow.unknown', name: 'digest' })).toBe(
    'workflow digest not found',
  );
  expect(workflowRefusalText({ code: 'workflow.unavailable', name: 'digest' })).toBe(
    'workflow digest is not available (missing required tools)',
  );
});
