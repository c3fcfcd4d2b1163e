import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel } from './in-parallel.ts';
import { REPOSITORY } from './installed.ts';
import { judge, type Outcome } from './outcome.ts';
import { runProgram } from './program.ts';
import { readReports } from './reports.ts';
import type { Scenario } from './scenario.ts';
import { SUITE } from './server-side.ts';
import { suiteNode } from './suite-node.ts';

/** The driver that makes the gateway's connections the client under test. */
const CLIENT = join(REPOSITORY, 'packages/downstream/conformance/client.mjs');

const SCENARIO_MS = 20_000;
const AT_ONCE = 2;

/** Runs client scenarios, each against a server of the suite's own, and judges them. */
export function runClientSide(
  scenarios: readonly Scenario[],
  folder: string,
): Promise<readonly Outcome[]> {
  return inParallel(scenarios, AT_ONCE, (scenario, place) =>
    runScenario(scenario, join(folder, String(place))),
  );
}

async function runScenario(scenario: Scenario, folder: string): Promise<Outcome> {
  mkdirSync(folder, { recursive: true });
  // The suite hands the command to a shell; quotes keep a path with spaces whole.
  const command = `"${process.execPath}" "${CLIENT}"`;
  const { code, output } = await runProgram(
    suiteNode(),
    [
      ...[SUITE, 'client', '--command', command, '--scenario', scenario.name],
      ...['--spec-version', scenario.revision, '--timeout', String(SCENARIO_MS)],
      ...['--output-dir', folder],
    ],
    { cwd: folder, withinMs: 2 * SCENARIO_MS },
  );
  const report = readReports(folder).get(scenario.name);
  const ending = code === 0 ? undefined : `The suite ended with ${code ?? 'the time'}: ${output}`;
  return judge(scenario, report, ending);
}
