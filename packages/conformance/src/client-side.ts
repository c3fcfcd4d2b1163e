import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
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

/** Modules that came as CommonJS ask for Node's own by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Runs client scenarios, each against a server of the suite's own, and judges them. */
export async function runClientSide(
  scenarios: readonly Scenario[],
  folder: string,
): Promise<readonly Outcome[]> {
  const client = join(folder, 'client.mjs');
  await bundle(client);
  return inParallel(scenarios, AT_ONCE, (scenario, place) =>
    runScenario({ scenario, client, folder: join(folder, String(place)) }),
  );
}

/** Every scenario starts the driver anew, so its libraries go into one file, which starts in half the time. */
function bundle(outfile: string): Promise<unknown> {
  return build({
    entryPoints: [CLIENT],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
}

interface ClientTrial {
  readonly scenario: Scenario;
  /** The driver. */
  readonly client: string;
  /** For the reports. */
  readonly folder: string;
}

async function runScenario({ scenario, client, folder }: ClientTrial): Promise<Outcome> {
  mkdirSync(folder, { recursive: true });
  // The suite hands the command to a shell; quotes keep a path with spaces whole.
  const command = `"${process.execPath}" "${client}"`;
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
