import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { signIn, testUser, freePort } from '@gateway/test-peers';
import { SUITE_CLIENT } from './broker.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { readReports } from './reports.ts';
import { requirementSet } from './requirement-set.ts';
import { REVISIONS, type Revision, type Scenario } from './scenario.ts';
import type { Suite } from './suite.ts';

const RUN_MS = 60_000;

/** The suite prints the link that a person opens on a line of its own. */
const LINK = /^https?:\/\/\S+[?&]response_type=code\S*$/u;

/** A run of the suite against an authorization server. */
export interface AuthorizationRun {
  /** The MCP endpoint, for which tokens are requested; the issuer is its origin. */
  readonly url: string;
  /** The scenarios to return, of those that the suite runs. */
  readonly scenarios: readonly Scenario[];
  /** An empty folder for the reports. */
  readonly folder: string;
}

/** Runs the scenarios of authorization servers, one revision after the other, and signs in where the suite waits for a person. */
export async function runAuthorizationSide(
  suite: Suite,
  run: AuthorizationRun,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
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
): Promise<readonly Outcome[]> {
  const folder = join(parent, revision);
  mkdirSync(folder);
  const port = await freePort();
  const signIns: Promise<void>[] = [];
  const { code, output } = await suite(
    [
      ...['authorization', '--url', new URL(url).origin, '--resource', url],
      ...['--client-id', SUITE_CLIENT, '--port', String(port)],
      ...['--spec-version', revision, '--output-dir', folder],
    ],
    {
      cwd: folder,
      withinMs: RUN_MS,
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
    return outcomeOf(scenario, report, report === undefined ? ending : undefined);
  });
}

/** The requirement sets do not name these scenarios: a new version of the suite may have more. */
function expectKnown(revision: Revision, names: Iterable<string>): void {
  const known = requirementSet(revision).filter(({ side }) => side === 'authorization');
  const unknown = [...names].filter((name) => known.every((scenario) => scenario.name !== name));
  if (unknown.length > 0)
    throw new Error(`Add the scenarios to the requirement set: ${unknown.join(', ')}.`);
}

/** Signs a person in, as a browser does. When it does not reach the client of the suite, reports that there: the client waits for minutes. */
async function signInAtCallback(link: string, port: number): Promise<void> {
  const callback = new URL(`http://127.0.0.1:${port}/callback`);
  const problem = await signIn(link, testUser('alice')).then(
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
