import { beforeAll, describe, expect, it } from 'vitest';
import { conformanceRun, type SubjectResult } from '../../src/conformance-run.ts';
import { scenariosOf, SUBJECTS } from '../../src/subject.ts';

/** Longer than the runner lets anything take. */
const RUN_MS = 180_000;

const NAMES = ['2025', '2026', 'client'];
const subjects = SUBJECTS.filter(({ name }) => NAMES.includes(name));

let results: readonly SubjectResult[] = [];

beforeAll(async () => {
  results = await conformanceRun(subjects);
}, RUN_MS);

for (const subject of subjects) {
  describe(`the official conformance suite: ${subject.title}`, () => {
    for (const scenario of scenariosOf(subject)) {
      it(`passes ${scenario.name} of ${scenario.revision}`, () => {
        const result = results.find((candidate) => candidate.subject === subject);
        const outcome = result?.outcomes.find(
          ({ scenario: { revision, name } }) =>
            revision === scenario.revision && name === scenario.name,
        );
        expect(outcome?.problems, result?.complaints).toEqual([]);
      });
    }
  });
}
