import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientUnderTest } from './clients.ts';
import { createFolder, type ReadyServer, type RunningStage, startStage } from './compat-stage.ts';
import { openHttp, createSdkDriver, type Driver } from './drivers.ts';
import {
  type Feature,
  type FeatureVerdict,
  toVerdict,
  FEATURES,
  SERVER_FEATURES,
} from './features.ts';
import { runGuide } from './guide-run.ts';
import type { CompatResults, SubjectResult } from './compat-page.ts';
import type { ServerUnderTest } from './servers.ts';

/** More than any feature needs on a busy machine. */
const FEATURE_MS = 60_000;

export interface CompatSelection {
  readonly clients: readonly ClientUnderTest[];
  readonly servers: readonly ServerUnderTest[];
  /** Returns true when a feature runs with a client. Without it, all do. */
  readonly isSelected?: (client: string, feature: string) => boolean;
  readonly guide?: boolean;
  readonly log?: (line: string) => void;
}

/** Installs the clients and servers, runs every feature with each of them, and returns the verdicts. */
export async function runCompat(selection: CompatSelection): Promise<CompatResults> {
  const { clients, servers, log = () => undefined } = selection;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-compat-'));
  try {
    const { ready, missing } = await prepareServers(servers, folder, log);
    const running = await startStage(ready, folder);
    try {
      const results: SubjectResult[] = [];
      for (const client of clients) results.push(await runClient(client, running, selection));
      return {
        date: new Date().toISOString().slice(0, 10),
        clients: results,
        servers: [...(await runServers(ready, running, log)), ...missing],
        guide: selection.guide === true ? await runGuide(running.stage.meta.url, folder, log) : [],
      };
    } finally {
      await running.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const findReason = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function prepareServers(
  servers: readonly ServerUnderTest[],
  folder: string,
  log: (line: string) => void,
): Promise<{ readonly ready: readonly ReadyServer[]; readonly missing: readonly SubjectResult[] }> {
  const ready: ReadyServer[] = [];
  const missing: SubjectResult[] = [];
  for (const server of servers) {
    log(`installing the server ${server.id}`);
    try {
      const prepared = await server.prepare(createFolder(folder, `server-${server.id}`));
      ready.push({ server, prepared });
    } catch (error) {
      missing.push({ ...toFacts(server), verdicts: {}, notRun: findReason(error) });
    }
  }
  return { ready, missing };
}

const toFacts = (
  subject: Pick<SubjectResult, 'id' | 'package' | 'registry' | 'version'> & { title?: string },
): Omit<SubjectResult, 'verdicts'> => ({
  id: subject.id,
  title: subject.title ?? subject.id,
  registry: subject.registry,
  package: subject.package,
  version: subject.version,
});

async function runClient(
  client: ClientUnderTest,
  { stage }: RunningStage,
  { isSelected = () => true, log = () => undefined }: CompatSelection,
): Promise<SubjectResult> {
  log(`installing the client ${client.title}`);
  let start: () => Driver;
  try {
    start = await client.prepare();
  } catch (error) {
    return { ...toFacts(client), verdicts: {}, notRun: findReason(error) };
  }
  const wanted = FEATURES.filter(({ id }) => isSelected(client.id, id));
  const verdicts: Record<string, FeatureVerdict> = {};
  let driver = start();
  for (const feature of wanted) {
    const verdict = await toVerdict(() => feature.run(driver, stage), FEATURE_MS);
    verdicts[feature.id] = verdict;
    log(`  ${client.title}: ${formatLine(feature, verdict)}`);
    // A client after a failure may be in any state.
    if (verdict.kind === 'fails') {
      await driver.end();
      driver = start();
    }
  }
  await driver.end();
  return { ...toFacts(client), verdicts };
}

async function runServers(
  ready: readonly ReadyServer[],
  { stage, nativeOfAll }: RunningStage,
  log: (line: string) => void,
): Promise<readonly SubjectResult[]> {
  if (ready.length === 0) return [];
  const gateways = { meta: stage.meta, native: await nativeOfAll() };
  const driver = createSdkDriver(openHttp);
  const results: SubjectResult[] = [];
  for (const { server, prepared } of ready) {
    const verdicts: Record<string, FeatureVerdict> = {};
    const onStage = { id: server.id, has: server.has ?? [], call: prepared.call };
    for (const feature of SERVER_FEATURES) {
      const isAbsent = feature.needs !== undefined && !onStage.has.includes(feature.needs);
      const verdict: FeatureVerdict = isAbsent
        ? { kind: 'absent', reason: 'the server has none' }
        : await toVerdict(() => feature.run(driver, gateways, onStage), FEATURE_MS);
      verdicts[feature.id] = verdict;
      log(`  ${server.id}: ${formatLine(feature, verdict)}`);
    }
    results.push({ ...toFacts(server), verdicts });
  }
  return results;
}

function formatLine({ title }: Pick<Feature, 'title'>, verdict: FeatureVerdict): string {
  switch (verdict.kind) {
    case 'works':
      return `${title}: works${verdict.detail === undefined ? '' : ` (${verdict.detail})`}`;
    case 'absent':
      return `${title}: - (${verdict.reason})`;
    case 'fails':
      return `${title}: FAILS: ${verdict.problem}`;
  }
}
