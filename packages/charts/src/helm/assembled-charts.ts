import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assembleCharts } from './assemble-charts.ts';

/** The charts of this package, in order of their dependencies. */
export const CHARTS = [
  'library',
  'agent',
  'gateway',
  'agent-manager',
  'portal',
  'model-manager',
  'agent-platform-mcps',
  'mcp-kubernetes',
  'agent-platform',
  'standalone',
] as const;

/** A chart by the name of its folder. */
export type ChartName = (typeof CHARTS)[number];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/charts');

let assembled: Promise<string> | undefined;

/** Returns the folder with every chart and its dependencies, as `helm dependency update` creates it. */
export async function assembledCharts(): Promise<string> {
  assembled ??= assembleCharts({ root: ROOT, charts: CHARTS, cache: CACHE });
  return await assembled;
}
