import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { inParallel } from './in-parallel.ts';
import { REPOSITORY } from './installed.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { readReports } from './reports.ts';
import type { Scenario } from './scenario.ts';
import type { Suite } from './suite.ts';

/** The driver that makes the gateway's connections the client under test. */
const CLIENT = join(REPOSITORY, 'packages/downstream/conformance/client.mjs');
/** The driver of the scenarios of authorization, which makes a whole gateway the client under test. */
const SIGN_IN_CLIENT = fileURLToPath(new URL('../../fixtures/sign-in-client.mjs', import.meta.url));

/** A gateway starts in a few seconds on a busy machine. */
const SCENARIO_MS = 40_000;
const AT_ONCE = 2;

/** Runs client scenarios, each against a server of the suite's own, and returns their outcomes. */
export async function runClientSide({
  suite,
  scenarios,
  folder,
  program,
}: ClientRun): Promise<readonly Outcome[]> {
  const client = join(folder, 'client.mjs');
  const signInClient = join(folder, 'sign-in-client.mjs');
  await Promise.all([bundle(CLIENT, client), bundle(SIGN_IN_CLIENT, signInClient)]);
  return inParallel(scenarios, AT_ONCE, (scenario, place) => {
    const command = isSignIn(scenario) ? [signInClient, program] : [client];
    return runScenario({ suite, scenario, command, folder: join(folder, String(place)) });
  });
}

const isSignIn = ({ name }: Scenario): boolean => name.startsWith('auth/');

/** A run of client scenarios. */
interface ClientRun {
  readonly suite: Suite;
  readonly scenarios: readonly Scenario[];
  /** For the drivers and the reports. */
  readonly folder: string;
  /** The command line of the gateway. */
  readonly program: string;
}

interface ClientTrial {
  readonly suite: Suite;
  readonly scenario: Scenario;
  /** The driver and its arguments. */
  readonly command: readonly string[];
  /** For the reports. */
  readonly folder: string;
}

async function runScenario({ suite, scenario, command, folder }: ClientTrial): Promise<Outcome> {
  mkdirSync(folder, { recursive: true });
  // The suite passes the command to a shell; quotes keep a path with spaces whole.
  const line = [process.execPath, ...command].map((part) => `"${part}"`).join(' ');
  const { code, output } = await suite(
    [
      ...['client', '--command', line, '--scenario', scenario.name],
      ...['--spec-version', scenario.revision, '--timeout', String(SCENARIO_MS)],
      ...['--output-dir', folder],
    ],
    { cwd: folder, withinMs: 2 * SCENARIO_MS },
  );
  const report = readReports(folder).get(scenario.name);
  const ending = code === 0 ? undefined : `The suite ended with ${code ?? 'the time'}: ${output}`;
  return outcomeOf(scenario, report, ending);
}
