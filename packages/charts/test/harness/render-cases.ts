import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CHARTS, type ChartName } from '../../src/assemble-charts.ts';
import { render } from '../../src/render.ts';

const CASES = join(import.meta.dirname, '../cases');

/** Values of a chart that use many of its options: `cases/<chart>/<name>.yaml`. */
export interface RenderCase {
  readonly chart: ChartName;
  readonly name: string;
  readonly file: string;
  /** The namespace of the release, from a first line `# helm: --namespace a`. */
  readonly namespace: string;
}

const namespaceOf = (file: string): string =>
  /^# helm: --namespace (\S+)\n/u.exec(readFileSync(file, 'utf8'))?.[1] ?? 'demo-ns';

/** The cases of all charts. */
export const RENDER_CASES: readonly RenderCase[] = CHARTS.filter(
  (chart) => chart !== 'library',
).flatMap((chart) =>
  readdirSync(join(CASES, chart)).map((entry) => {
    const file = join(CASES, chart, entry);
    return { chart, name: basename(entry, '.yaml'), file, namespace: namespaceOf(file) };
  }),
);

/** Returns the values of a case. */
export const valuesOfCase = (chart: ChartName, name: string): Readonly<Record<string, unknown>> =>
  parse(readFileSync(join(CASES, chart, `${name}.yaml`), 'utf8')) as Record<string, unknown>;

/** Renders a case from its file, as Helm reads it. @throws with the refusal of the chart */
export const renderCase = async ({ chart, file, namespace }: RenderCase) => {
  const rendered = await render(chart, {}, { namespace, args: ['--values', file] });
  if (!rendered.ok) throw new Error(rendered.error);
  return rendered;
};
