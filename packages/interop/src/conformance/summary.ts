import type { SubjectResult } from './conformance-run.ts';
import type { Outcome } from './outcome.ts';
import { REVISIONS, selectionOf } from './scenario.ts';
import type { Subject } from './subject.ts';

/** The report of a run: one line per scenario, its problems below it, and the count at the end. */
export interface Summary {
  readonly lines: readonly string[];
  readonly passed: number;
  readonly failed: number;
}

/**
 * Returns the report of the subjects.
 *
 * @param verbose adds the error output of the programs where a scenario failed
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

function linesOf(result: SubjectResult, verbose: boolean): string[] {
  const { subject, outcomes, errorOutput } = result;
  const bad = outcomes.some(({ problems }) => problems.length > 0);
  return [
    '',
    `${subject.name}: ${subject.title}`,
    ...(allFailedAlike(outcomes) ?? outcomes.flatMap((outcome) => outcomeLines(subject, outcome))),
    ...(verbose && bad && errorOutput !== '' ? [errorOutput] : []),
  ];
}

function outcomeLines(subject: Subject, { scenario, succeeded, problems }: Outcome): string[] {
  const name = 'revision' in subject ? scenario.name : `${scenario.revision} ${scenario.name}`;
  return [
    `  ${problems.length === 0 ? '✓' : '✗'} ${name} (${succeeded} checks)`,
    ...problems.map((problem) => `      ${problem}`),
  ];
}

/** One line for all where nothing could be tested at all. */
function allFailedAlike(outcomes: readonly Outcome[]): string[] | undefined {
  const [first, ...rest] = outcomes.map(({ problems }) => problems.join());
  return rest.length > 0 && first !== '' && rest.every((problem) => problem === first)
    ? [`  ✗ all ${outcomes.length} scenarios`, `      ${first ?? ''}`]
    : undefined;
}
