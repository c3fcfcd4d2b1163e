import { REVISIONS, type Scenario, selectScenarios, type Side } from './scenario.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Subject } from './subject.ts';

interface ConformanceCheck {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly details?: unknown;
}

export interface ScenarioOutcome {
  readonly scenario: Scenario;
  readonly succeeded: number;
  /** One line for each check that did not succeed. */
  readonly problems: readonly string[];
}

/**
 * The check statuses that count as a failure, by side. A client may omit features that it does not offer; the server behind the gateway has every
 * feature that a scenario can request, and the authorization server is set up for all of its scenarios.
 */
const FAILURE_STATUSES: Readonly<Record<Side, readonly ConformanceCheck['status'][]>> = {
  client: ['FAILURE', 'WARNING'],
  server: ['FAILURE', 'WARNING', 'SKIPPED'],
  authorization: ['FAILURE', 'WARNING', 'SKIPPED'],
};

/**
 * Computes the outcome of a scenario more strictly than the suite: warnings are failures. A required scenario, or a scenario for
 * authorization servers, also fails when it checked nothing.
 *
 * @param checks undefined when the suite wrote no report
 * @param fallbackProblem the problem to report when no check failed, such as the exit code of a client
 */
export function toOutcome(
  scenario: Scenario,
  checks: readonly ConformanceCheck[] | undefined,
  fallbackProblem?: string,
): ScenarioOutcome {
  const succeeded = checks?.filter(({ status }) => status === 'SUCCESS').length ?? 0;
  const problems = (checks ?? [])
    .filter(({ status }) => FAILURE_STATUSES[scenario.side].includes(status))
    .map(({ id, status, errorMessage = 'no message' }) => `${status} ${id}: ${errorMessage}`);
  if (fallbackProblem !== undefined && problems.length === 0) problems.push(fallbackProblem);
  else if (checks === undefined) problems.push('The suite wrote no report of it.');
  else if (isCheckRequired(scenario) && succeeded === 0 && problems.length === 0)
    problems.push('It checked nothing.');
  return { scenario, succeeded, problems };
}

const isCheckRequired = ({ scored, side }: Scenario): boolean => scored || side === 'authorization';

/** The suite names a folder after the side, the scenario and the time: `server-tools-list-2026-01-02T03-04-05-678Z`. */
const FOLDER = /^(?:(?:authorization-)?server-)?(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u;

/** Reads the reports of a suite run: the checks by scenario. The report of `auth/dpop` is in a subfolder of `auth`. */
export function readReports(folder: string): ReadonlyMap<string, readonly ConformanceCheck[]> {
  const reports = new Map<string, readonly ConformanceCheck[]>();
  if (!existsSync(folder)) return reports;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const scenario = FOLDER.exec(path)?.[1]?.replaceAll(sep, '/');
    const file = join(folder, path, 'checks.json');
    if (scenario !== undefined && existsSync(file))
      reports.set(scenario, JSON.parse(readFileSync(file, 'utf8')) as readonly ConformanceCheck[]);
  }
  return reports;
}

/** The report of a run: one line per scenario, its problems below it, and the count at the end. */
interface Summary {
  readonly lines: readonly string[];
  readonly passed: number;
  readonly failed: number;
}

/** Formats the report of all subjects. @param verbose adds the error output of subjects with a failed scenario */
export function formatSummary(results: readonly SubjectResult[], verbose: boolean): Summary {
  const outcomes = results.flatMap((result) => result.outcomes);
  const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
  const passed = outcomes.length - failed;
  const unknown = REVISIONS.flatMap((revision) => selectScenarios(revision).unknown);
  return {
    lines: [
      ...results.flatMap((result) => formatLines(result, verbose)),
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

function formatLines(result: SubjectResult, verbose: boolean): string[] {
  const { subject, outcomes, errorOutput } = result;
  const hasFailure = outcomes.some(({ problems }) => problems.length > 0);
  return [
    '',
    `${subject.name}: ${subject.title}`,
    ...(formatCommonFailure(outcomes) ??
      outcomes.flatMap((outcome) => formatOutcome(subject, outcome))),
    ...(verbose && hasFailure && errorOutput !== '' ? [errorOutput] : []),
  ];
}

function formatOutcome(
  subject: Subject,
  { scenario, succeeded, problems }: ScenarioOutcome,
): string[] {
  const name = 'revision' in subject ? scenario.name : `${scenario.revision} ${scenario.name}`;
  return [
    `  ${problems.length === 0 ? '✓' : '✗'} ${name} (${succeeded} checks)`,
    ...problems.map((problem) => `      ${problem}`),
  ];
}

/** Returns one entry for all scenarios when all failed with the same problem. */
function formatCommonFailure(outcomes: readonly ScenarioOutcome[]): string[] | undefined {
  const [first, ...rest] = outcomes.map(({ problems }) => problems.join());
  return rest.length > 0 && first !== '' && rest.every((problem) => problem === first)
    ? [`  ✗ all ${outcomes.length} scenarios`, `      ${first ?? ''}`]
    : undefined;
}

export interface SubjectResult {
  readonly subject: Subject;
  readonly outcomes: readonly ScenarioOutcome[];
  /** The standard error of the programs. */
  readonly errorOutput: string;
}
