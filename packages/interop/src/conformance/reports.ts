import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Check } from './outcome.ts';

/** The suite names a folder after the side, the scenario and the time: `server-tools-list-2026-01-02T03-04-05-678Z`. */
const FOLDER = /^(?:(?:authorization-)?server-)?(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u;

/** The reports that a run of the suite left in a folder, scenario to its checks. The scenario `auth/dpop` has the folder `auth` around its own. */
export function readReports(folder: string): ReadonlyMap<string, readonly Check[]> {
  const reports = new Map<string, readonly Check[]>();
  if (!existsSync(folder)) return reports;
  for (const place of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const scenario = FOLDER.exec(place)?.[1]?.replaceAll(sep, '/');
    const file = join(folder, place, 'checks.json');
    if (scenario !== undefined && existsSync(file))
      reports.set(scenario, JSON.parse(readFileSync(file, 'utf8')) as readonly Check[]);
  }
  return reports;
}
