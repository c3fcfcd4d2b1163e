import type { SubjectResult } from './outcome.ts';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  runAuthorizationSide,
  runClientSide,
  runServerSide,
  startBroker,
  createSuite,
  runParallel,
  type Suite,
} from './sides.ts';
import { toOutcome } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import {
  BUILT_GATEWAY,
  type NativeOptions,
  type Setup,
  startFixture,
  startNative,
} from '../gateway.ts';
import { listScenarios, type Subject } from './subject.ts';

/** The suite waits more than it works. */
const AT_ONCE = 3;

export interface ConformanceOptions {
  readonly only?: readonly string[];
  readonly program?: string;
}

/**
 * Puts the subjects to the test, some at a time.
 * Ends every program that it started, and leaves no file. A subject that cannot be tested at all fails each of its scenarios.
 */
export async function runConformance(
  subjects: readonly Subject[],
  options: ConformanceOptions = {},
): Promise<readonly SubjectResult[]> {
  const { only, program = BUILT_GATEWAY } = options;
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const suite = await createSuite(ensureFolder(folder, 'suite'));
    return await runParallel(subjects, AT_ONCE, (subject, place) => {
      const scenarios = listScenarios(subject).filter(
        ({ name }) => only === undefined || only.includes(name),
      );
      const trial = { suite, scenarios, program, folder: ensureFolder(folder, String(place)) };
      return runSubject(subject, trial);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ensureFolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

interface Trial extends NativeOptions {
  readonly suite: Suite;
  readonly scenarios: readonly Scenario[];
}

async function runSubject(subject: Subject, trial: Trial): Promise<SubjectResult> {
  try {
    if (subject.kind === 'client') {
      const outcomes = await runClientSide(trial);
      return { subject, outcomes, errorOutput: '' };
    }
    return await runAddressSubject(subject, trial);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const outcomes = trial.scenarios.map((scenario) =>
      toOutcome(scenario, undefined, problem.split('\n', 1)[0]),
    );
    return { subject, outcomes, errorOutput: problem };
  }
}

async function runAddressSubject(
  subject: Exclude<Subject, { kind: 'client' }>,
  trial: Trial,
): Promise<SubjectResult> {
  const { suite, scenarios } = trial;
  const setup = await start(subject, trial);
  try {
    const folder = ensureFolder(trial.folder, 'reports');
    const run = { url: setup.url, scenarios, folder };
    const outcomes =
      subject.kind === 'authorization'
        ? await runAuthorizationSide(suite, run)
        : await runServerSide(suite, { ...run, revision: subject.revision });
    return { subject, outcomes, errorOutput: setup.errorOutput() };
  } finally {
    await setup.stop();
  }
}

function start(subject: Exclude<Subject, { kind: 'client' }>, trial: Trial): Promise<Setup> {
  switch (subject.kind) {
    case 'authorization':
      return startBroker(trial);
    case 'fixture':
      return startFixture(subject.fixture);
    case 'gateway':
      return startNative(subject.fixture, trial);
  }
}
