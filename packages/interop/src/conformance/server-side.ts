import { outcomeOf, type Outcome } from './outcome.ts';
import { readReports } from './reports.ts';
import type { Revision, Scenario } from './scenario.ts';
import type { Suite } from './suite.ts';

const RUN_MS = 120_000;
const SCENARIO_MS = 20_000;

/** One run of the suite against an endpoint. */
export interface ServerRun {
  readonly url: string;
  readonly revision: Revision;
  /** The scenarios to return, of those that the suite runs. */
  readonly scenarios: readonly Scenario[];
  /** An empty folder for the reports. */
  readonly folder: string;
}

/** Runs the suite with the requirements of a revision against an endpoint, and returns the outcomes of the scenarios. */
export async function runServerSide(suite: Suite, run: ServerRun): Promise<readonly Outcome[]> {
  const args = ['server', '--url', run.url, '--requirements', run.revision];
  const { code, output } = await suite(
    [...args, '--output-dir', run.folder, '--timeout', String(SCENARIO_MS)],
    { cwd: run.folder, withinMs: RUN_MS },
  );
  const reports = readReports(run.folder);
  if (reports.size === 0)
    throw new Error(`The suite ended with ${code ?? 'the time'} and no report.\n${output}`);
  return run.scenarios.map((scenario) => outcomeOf(scenario, reports.get(scenario.name)));
}
