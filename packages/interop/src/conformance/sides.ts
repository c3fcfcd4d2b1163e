import { build } from 'esbuild';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  resolvePackageFile,
  resolvePlace,
  REPOSITORY,
  type Ending,
  type NativeOptions,
  type RunLimits,
  runProgram,
  serveGateway,
  type Setup,
} from '../gateway.ts';
import { type ScenarioOutcome, toOutcome, readReports } from './outcome.ts';
import { readRequirementSet, type Revision, REVISIONS, type Scenario } from './scenario.ts';
import { findFreePort, signIn, startProvider, createTestUser } from '@gateway/test-peers';

/** CommonJS modules load Node's own by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Puts a program that is started many times into one file with its libraries: it starts sooner. */
async function bundle(program: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
}

/** Runs the program of the suite with these arguments to its end. */
export type Suite = (args: readonly string[], limits: RunLimits) => Promise<Ending>;

/**
 * Returns the suite in a form that starts fast: in one file, with a compile cache.
 *
 * @param folder for the program, which finds the requirements next to its own folder, and for its compile cache
 */
export async function createSuite(folder: string): Promise<Suite> {
  const from = dirname(resolvePackageFile('@modelcontextprotocol/conformance'));
  const program = join(folder, 'dist/index.mjs');
  await bundle(join(from, 'dist/index.js'), program);
  cpSync(join(from, 'requirements'), join(folder, 'requirements'), { recursive: true });
  const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  return (args, limits) => runProgram(process.execPath, [program, ...args], { ...limits, env });
}

/** Does the work for every item, for at most `atOnce` of them at a time. The results are in the order of the items. */
export async function runParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<readonly R[]> {
  const waiting = [...items.entries()];
  const results: R[] = [];
  const next = async (): Promise<void> => {
    for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
      const [place, item] = taken;
      results[place] = await work(item, place);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return results;
}

const SERVER_MS = 120_000;
const SERVER_SCENARIO_MS = 20_000;

interface ServerRun {
  readonly url: string;
  readonly revision: Revision;
  /** The scenarios to return, of those that the suite runs. */
  readonly scenarios: readonly Scenario[];
  readonly folder: string;
}

/** Runs the suite with the requirements of a revision against an endpoint, and returns the outcomes of the scenarios. */
export async function runServerSide(
  suite: Suite,
  run: ServerRun,
): Promise<readonly ScenarioOutcome[]> {
  const args = ['server', '--url', run.url, '--requirements', run.revision];
  const { code, output } = await suite(
    [...args, '--output-dir', run.folder, '--timeout', String(SERVER_SCENARIO_MS)],
    { cwd: run.folder, withinMs: SERVER_MS },
  );
  const reports = readReports(run.folder);
  if (reports.size === 0)
    throw new Error(`The suite ended with ${code ?? 'the time'} and no report.\n${output}`);
  return run.scenarios.map((scenario) => toOutcome(scenario, reports.get(scenario.name)));
}

/** The driver that makes the gateway's connections the client under test. */
const CLIENT = join(REPOSITORY, 'packages/downstream/conformance/client.mjs');
/** The driver of the scenarios of authorization, which makes a whole gateway the client under test. */
const SIGN_IN_CLIENT = resolvePlace('fixtures/sign-in-client.mjs');

/** A gateway starts in a few seconds on a busy machine. */
const CLIENT_SCENARIO_MS = 40_000;
const AT_ONCE = 2;

/** Runs client scenarios, each against a server of the suite's own, and returns their outcomes. */
export async function runClientSide({
  suite,
  scenarios,
  folder,
  program,
}: ClientRun): Promise<readonly ScenarioOutcome[]> {
  const client = join(folder, 'client.mjs');
  const signInClient = join(folder, 'sign-in-client.mjs');
  await Promise.all([bundle(CLIENT, client), bundle(SIGN_IN_CLIENT, signInClient)]);
  return runParallel(scenarios, AT_ONCE, (scenario, place) => {
    const command = isSignIn(scenario) ? [signInClient, program] : [client];
    return runScenario({ suite, scenario, command, folder: join(folder, String(place)) });
  });
}

const isSignIn = ({ name }: Scenario): boolean => name.startsWith('auth/');

interface ClientRun {
  readonly suite: Suite;
  readonly scenarios: readonly Scenario[];
  readonly folder: string;
  readonly program: string;
}

interface ClientTrial {
  readonly suite: Suite;
  readonly scenario: Scenario;
  readonly command: readonly string[];
  readonly folder: string;
}

async function runScenario({
  suite,
  scenario,
  command,
  folder,
}: ClientTrial): Promise<ScenarioOutcome> {
  mkdirSync(folder, { recursive: true });
  // The suite passes the command to a shell; quotes keep a path with spaces whole.
  const line = [process.execPath, ...command].map((part) => `"${part}"`).join(' ');
  const { code, output } = await suite(
    [
      ...['client', '--command', line, '--scenario', scenario.name],
      ...['--spec-version', scenario.revision, '--timeout', String(CLIENT_SCENARIO_MS)],
      ...['--output-dir', folder],
    ],
    { cwd: folder, withinMs: 2 * CLIENT_SCENARIO_MS },
  );
  const report = readReports(folder).get(scenario.name);
  const ending = code === 0 ? undefined : `The suite ended with ${code ?? 'the time'}: ${output}`;
  return toOutcome(scenario, report, ending);
}

/** The client of the suite, which the gateway knows in advance. */
const SUITE_CLIENT = 'conformance';

const SECRET = 'the secret of the gateway';

/** Starts the gateway in mode `broker` before an OpenID provider in this process. It has no servers. */
export async function startBroker(options: NativeOptions): Promise<Setup> {
  const port = await findFreePort();
  const provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: SECRET,
        redirect_uris: [`http://127.0.0.1:${port}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  const configDir = join(options.folder, 'config');
  mkdirSync(join(configDir, 'mcpservers'), { recursive: true });
  writeFileSync(join(configDir, 'secret'), SECRET, { mode: 0o600 });
  writeFileSync(
    join(configDir, 'config.yaml'),
    JSON.stringify(createConfiguration(provider.issuer)),
  );
  const args = ['--port', String(port), '--config-dir', configDir, '--no-health-listener'];
  return serveGateway({ ...options, args, stopPeer: provider.close });
}

const createConfiguration = (issuer: string): object => ({
  auth: {
    mode: 'broker',
    broker: {
      upstream: { issuer, clientId: 'gateway', clientSecretFile: 'secret' },
      // The port of a loopback redirect URI may differ.
      clients: [{ clientId: SUITE_CLIENT, redirectUris: ['http://127.0.0.1/callback'] }],
    },
  },
});

const AUTHORIZATION_MS = 60_000;

/** The suite prints the link that a user opens on a line of its own. */
const LINK = /^https?:\/\/\S+[?&]response_type=code\S*$/u;

interface AuthorizationRun {
  readonly url: string;
  readonly scenarios: readonly Scenario[];
  readonly folder: string;
}

/** Runs the scenarios of authorization servers, one revision after the other, and signs in where the suite waits for a user. */
export async function runAuthorizationSide(
  suite: Suite,
  run: AuthorizationRun,
): Promise<readonly ScenarioOutcome[]> {
  const outcomes: ScenarioOutcome[] = [];
  for (const revision of REVISIONS) {
    const scenarios = run.scenarios.filter((scenario) => scenario.revision === revision);
    if (scenarios.length > 0)
      outcomes.push(...(await runRevision(suite, revision, { ...run, scenarios })));
  }
  return outcomes;
}

/** The second scenario uses the metadata of the first, so the suite always runs all of them. */
async function runRevision(
  suite: Suite,
  revision: Revision,
  { url, scenarios, folder: parent }: AuthorizationRun,
): Promise<readonly ScenarioOutcome[]> {
  const folder = join(parent, revision);
  mkdirSync(folder);
  const port = await findFreePort();
  const signIns: Promise<void>[] = [];
  const { code, output } = await suite(
    [
      ...['authorization', '--url', new URL(url).origin, '--resource', url],
      ...['--client-id', SUITE_CLIENT, '--port', String(port)],
      ...['--spec-version', revision, '--output-dir', folder],
    ],
    {
      cwd: folder,
      withinMs: AUTHORIZATION_MS,
      onLine: (line) => {
        if (LINK.test(line)) signIns.push(signInAtCallback(line, port));
      },
    },
  );
  await Promise.all(signIns);
  const reports = readReports(folder);
  expectKnown(revision, reports.keys());
  const ending = `The suite ended with ${code ?? 'the time'} and no report: ${output}`;
  return scenarios.map((scenario) => {
    const report = reports.get(scenario.name);
    return toOutcome(scenario, report, report === undefined ? ending : undefined);
  });
}

/** The requirement sets do not name these scenarios: a new version of the suite may have more. */
function expectKnown(revision: Revision, names: Iterable<string>): void {
  const known = readRequirementSet(revision).filter(({ side }) => side === 'authorization');
  const unknown = [...names].filter((name) => known.every((scenario) => scenario.name !== name));
  if (unknown.length > 0)
    throw new Error(`Add the scenarios to the requirement set: ${unknown.join(', ')}.`);
}

/** Signs a user in, as a browser does. When it does not reach the client of the suite, reports that there: the client waits for minutes. */
async function signInAtCallback(link: string, port: number): Promise<void> {
  const callback = new URL(`http://127.0.0.1:${port}/callback`);
  const problem = await signIn(link, createTestUser('alice')).then(
    (page) => {
      const { origin, pathname } = new URL(page.url);
      const place = origin + pathname;
      return place === callback.href ? undefined : `It ended at ${place} with ${page.status}.`;
    },
    (error: unknown) => String(error),
  );
  if (problem === undefined) return;
  callback.search = new URLSearchParams({
    error: 'sign_in_failed',
    error_description: problem,
  }).toString();
  // The client may have ended: then its report has the problem.
  await fetch(callback).catch(() => undefined);
}
