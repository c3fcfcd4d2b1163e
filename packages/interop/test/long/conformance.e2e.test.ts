import { beforeAll, describe, expect, it } from 'vitest';
import { runConformance } from '../../src/conformance/conformance-run.ts';
import type { SubjectResult } from '../../src/conformance/outcome.ts';
import { listScenarios, SUBJECTS } from '../../src/conformance/subject.ts';

/** More than the time limits of all programs of the runner. */
const RUN_MS = 600_000;

let results: readonly SubjectResult[] = [];

beforeAll(async () => {
  results = await runConformance(SUBJECTS);
}, RUN_MS);

for (const subject of SUBJECTS) {
  describe(`the official conformance suite: ${subject.title}`, () => {
    for (const scenario of listScenarios(subject)) {
      it(`passes ${scenario.name} of ${scenario.revision}`, () => {
        const result = results.find((candidate) => candidate.subject === subject);
        const outcome = result?.outcomes.find(
          ({ scenario: { revision, name } }) =>
            revision === scenario.revision && name === scenario.name,
        );
        expect(outcome?.problems, result?.errorOutput).toEqual([]);
      });
    }
  });
}
