import type { SubjectResult } from './conformance-run.ts';
import { REVISIONS } from './scenario.ts';
import { selectionOf } from './selection.ts';

/** What a run says: one line per scenario, its problems below it, and the count at the end. */
export interface Summary {
  readonly lines: readonly string[];
  readonly passed: number;
  readonly failed: number;
}

/**
 * Sums up what came of the subjects.
 *
 * @param verbose whether to add what the programs complained of, where a scenario failed
 */
export function summaryOf(results: readonly SubjectResult[], verbose: boolean): Summary {
  const outcomes = results.flatMap((result) => result.outcomes);
  const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
  const passed = outcomes.length - failed;
  const unknown = REVISIONS.flatMap((revision) => selectionOf(revision).unknown);
  return {
    lines: [
      ...results.flatMap((result) => linesOf(result, verbose)),
      ...unknown.map(
        (name) => `✗ ${name} is listed as not applicable, and the suite has no such scenario`,
      ),
      '',
      `${passed} scenarios passed, ${failed} failed.`,
    ],
    passed,
    failed: failed + unknown.length,
  };
}

function linesOf({ subject, outcomes, complaints }: SubjectResult, verbose: boolean): string[] {
  const bad = outcomes.some(({ problems }) => problems.length > 0);
  return [
    '',
    `${subject.name}: ${subject.title}`,
    ...outcomes.flatMap(({ scenario, succeeded, problems }) => [
      `  ${problems.length === 0 ? '✓' : '✗'} ${nameOf(scenario)} (${succeeded} checks)`,
      ...problems.map((problem) => `      ${problem}`),
    ]),
    ...(verbose && bad ? [complaints] : []),
  ];

  function nameOf({ revision, name }: SubjectResult['outcomes'][number]['scenario']): string {
    return subject.kind === 'client' ? `${revision} ${name}` : name;
  }
}
