import type { Scenario } from './scenario.ts';

/** One check of a scenario, as the suite reports it. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly details?: unknown;
}

/** How a scenario went. It passed when there are no problems. */
export interface Outcome {
  readonly scenario: Scenario;
  /** Number of checks that succeeded. */
  readonly succeeded: number;
  /** One line for each check that did not succeed. */
  readonly problems: readonly string[];
}

/**
 * Judges a scenario, more strictly than the suite: warnings and skipped checks count as failures, and so does a scenario that
 * checked nothing.
 *
 * @param checks nothing when the suite left no report
 * @param ending what else went wrong, such as a client that ended badly
 */
export function judge(
  scenario: Scenario,
  checks: readonly Check[] | undefined,
  ending?: string,
): Outcome {
  const succeeded = checks?.filter(({ status }) => status === 'SUCCESS').length ?? 0;
  const problems = (checks ?? [])
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ id, status, errorMessage = 'no message' }) => `${status} ${id}: ${errorMessage}`);
  if (checks === undefined) problems.push('The suite left no report of it.');
  else if (succeeded === 0 && problems.length === 0) problems.push('It checked nothing.');
  if (ending !== undefined) problems.push(ending);
  return { scenario, succeeded, problems };
}
