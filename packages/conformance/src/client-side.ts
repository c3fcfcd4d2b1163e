import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { inParallel } from './in-parallel.ts';
import { REPOSITORY } from './installed.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { readReports } from './reports.ts';
import type { Scenario } from './scenario.ts';
import type { Suite } from './suite.ts';

/** The driver that makes the gateway's connections the client under test. */
const CLIENT = join(REPOSITORY, 'packages/downstream/conformance/client.mjs');

const SCENARIO_MS = 20_000;
const AT_ONCE = 2;

/** Runs client scenarios, each against a server of the suite's own, and returns their outcomes. */
export async function runClientSide(
  suite: Suite,
  scenarios: readonly Scenario[],
  folder: string,
): Promise<readonly Outcome[]> {
  const client = join(folder, 'client.mjs');
  await bundle(CLIENT, client);
  return inParallel(scenarios, AT_ONCE, (scenario, place) =>
    runScenario({ suite, scenario, client, folder: join(folder, String(place)) }),
  );
}

interface ClientTrial {
  readonly suite: Suite;
  readonly scenario: Scenario;
  /** The driver. */
  readonly client: string;
  /** For the reports. */
  readonly folder: string;
}

async function runScenario({ suite, scenario, client, folder }: ClientTrial): Promise<Outcome> {
  mkdirSync(folder, { recursive: true });
  // The suite passes the command to a shell; quotes keep a path with spaces whole.
  const command = `"${process.execPath}" "${client}"`;
  const { code, output } = await suite(
    [
      ...['client', '--command', command, '--scenario', scenario.name],
      ...['--spec-version', scenario.revision, '--timeout', String(SCENARIO_MS)],
      ...['--output-dir', folder],
    ],
    { cwd: folder, withinMs: 2 * SCENARIO_MS },
  );
  const report = readReports(folder).get(scenario.name);
  const ending = code === 0 ? undefined : `The suite ended with ${code ?? 'the time'}: ${output}`;
  return outcomeOf(scenario, report, ending);
}
