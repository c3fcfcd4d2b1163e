import { folderIn } from './compat-stage.ts';
import { verdictOf } from './features/verdict.ts';
import { CONFIGURED_PROGRAMS, runConfigured } from './guide/configured-programs.ts';
import { runSample, SAMPLES } from './guide/samples.ts';
import type { GuideResult } from './results.ts';

/** Installations are part of it. */
const WITHIN_MS = 600_000;

/** Runs the programs and the configurations of `docs/clients.md` against a gateway. @param folder an empty folder */
export async function guideRun(
  url: string,
  folder: string,
  log: (line: string) => void,
): Promise<readonly GuideResult[]> {
  const results: GuideResult[] = [];
  const record = (result: GuideResult): void => {
    results.push(result);
    log(`  guide: ${result.title}: ${result.verdict.kind}`);
  };
  for (const program of CONFIGURED_PROGRAMS) {
    const home = folderIn(folder, `home-${program.folder}`);
    const verdict = await verdictOf(() => runConfigured(program, url, home), WITHIN_MS);
    record({ title: program.title, package: program.package, version: program.version, verdict });
  }
  for (const sample of SAMPLES) {
    const verdict = await verdictOf(() => runSample(sample, url), WITHIN_MS);
    record({ title: sample.title, verdict });
  }
  return results;
}
