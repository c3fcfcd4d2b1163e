import { describe, expect, it } from 'vitest';
import { requirement } from './requirement.ts';
import { createExpectation, runCase, workflowCases } from './workflow-cases.ts';

const prove = (name: string): void => {
  const given = workflowCases.get(name);
  if (given === undefined) throw new Error(`no case ${name}`);
  it(`${name}: ${given.why}`, async () => {
    const { records, ...outcome } = await runCase(given);
    expect(outcome).toEqual(createExpectation(given));
    expect(
      records.filter(({ execution_id: id }) => id === 'run-1').map(({ status }) => status),
    ).toEqual(['inprogress', outcome.isError ? 'failed' : 'completed']);
  });
};

const proven = new Set<string>();
const cases = (names: string) => (): void => {
  for (const name of names.split(' ')) {
    proven.add(name);
    prove(name);
  }
};

requirement('2.7/step-args-templates', cases('argument-types-are-kept'));
requirement(
  '2.7/results-referenceable',
  cases('hidden-results-are-referenceable hyphens-in-references'),
);
requirement('2.7/store-visibility', cases('output-wins-over-store'));
requirement('9.3/store-deprecated', cases('output-wins-over-store'));
requirement('2.7/allow-failure', cases('allow-failure-goes-on'));
requirement('2.7/template-missing-key', cases('missing-key-fails-the-step'));
requirement('2.7/on-failure-runs', cases('on-failure on-failure-not-on-success'));
requirement('2.7/on-failure-tolerates', cases('on-failure-tolerates'));
requirement('2.7/for-each-runs', cases('for-each for-each-no-items for-each-failing-sub-step'));
requirement('2.7/for-each-items', cases('for-each-computed-items'));
requirement(
  '2.7/for-each-item',
  cases('for-each-default-variable loop-variables-end-with-the-loop names-of-prototypes'),
);
requirement('2.7/for-each-index', cases('for-each for-each-default-variable'));
requirement(
  '2.7/for-each-iteration-result',
  cases('for-each-skips-an-item for-each-tolerant-sub-step'),
);
requirement('2.7/for-each-last-result', cases('for-each-skips-an-item for-each-no-items'));
requirement('2.7/parallel-siblings', cases('parallel-siblings parallel'));
requirement('2.7/condition-gates', cases('condition-template-false condition-on-composites'));
requirement('2.7/condition-template', cases('condition-template-fails'));
requirement('2.7/condition-template-alone', cases('condition-template-ignores-expect'));
requirement(
  '2.7/condition-tool',
  cases('condition-tool condition-tool-that-fails condition-tool-unreachable'),
);
requirement(
  '2.7/condition-from-step',
  cases(
    'condition-from-step condition-from-skipped-step condition-from-step-without-result from-step-on-composites',
  ),
);
requirement('2.7/template-input', cases('argument-types-are-kept'));
requirement('2.7/template-results', cases('hidden-results-are-referenceable'));
requirement(
  '2.7/template-vars',
  cases('for-each-default-variable loop-variables-end-with-the-loop'),
);
requirement('2.7/template-context', cases('hidden-results-are-referenceable'));

describe('other workflows', () => {
  for (const name of workflowCases.keys()) if (!proven.has(name)) prove(name);
});
