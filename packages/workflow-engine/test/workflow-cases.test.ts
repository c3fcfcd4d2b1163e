import { describe, expect, it } from 'vitest';
import { runCase, workflowCases } from './workflow-cases.ts';

const cases = workflowCases();

describe.each(cases)('%s', (_name, given) => {
  it(given.why, async () => {
    const { document, isError, calls, warnings, records } = await runCase(given);
    expect({ document, isError, calls, warnings }).toEqual({
      document: given.document,
      isError: given.isError ?? false,
      calls: given.calls,
      warnings: given.warnings ?? [],
    });
    expect(
      records.filter(({ execution_id: id }) => id === 'run-1').map(({ status }) => status),
    ).toEqual(['inprogress', isError ? 'failed' : 'completed']);
  });
});

it('has a case for every feature and every way to fail', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40);
});
