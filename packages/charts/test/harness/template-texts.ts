import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { prepareCharts, type ChartName } from '../../src/assemble-charts.ts';
import { render } from '../../src/render.ts';

/** One context for each case, as the chart's own templates have it, but with the values of the case; parts have the chart's. */
const TEXTS = `{{- $texts := list -}}
{{- range .Files.Get "cases.json" | fromJsonArray -}}
{{- $values := mergeOverwrite ($.Values | toJson | fromJson) . -}}
{{- $context := dict "Values" $values "Release" $.Release "Chart" $.Chart "Capabilities" $.Capabilities "Template" $.Template "Files" $.Files "Subcharts" $.Subcharts -}}
{{- $texts = append $texts (include "template-texts.body" $context) -}}
{{- end -}}
texts: {{ toJson $texts }}
`;

/** The chart's named templates alone; its schema sees only its own values then. */
const removeObjects = async (folder: string): Promise<void> => {
  const files = await readdir(join(folder, 'templates'));
  const objects = files.filter((file) => !file.startsWith('_'));
  await Promise.all(objects.map((file) => rm(join(folder, 'templates', file))));
};

const prepare = async (folder: string, body: string, cases: readonly unknown[]): Promise<void> => {
  await removeObjects(folder);
  await writeFile(join(folder, 'cases.json'), JSON.stringify(cases));
  const definition = `{{- define "template-texts.body" -}}${body}{{- end -}}\n`;
  await writeFile(join(folder, 'templates/texts.yaml'), definition + TEXTS);
};

/**
 * Returns the output of a template fragment for each of the values, in one run of Helm without schema validation.
 *
 * @param body such as `{{ include "agent.problem" . }}`; `.` is the root context
 */
export async function templateTexts(
  chart: ChartName,
  body: string,
  cases: readonly unknown[],
): Promise<readonly string[]> {
  const parent = await mkdtemp(join(tmpdir(), 'template-texts-'));
  try {
    const folder = join(parent, chart);
    await cp(join(await prepareCharts(), chart), folder, { recursive: true });
    await prepare(folder, body, cases);
    const rendered = await render(`/${folder.slice(1)}`);
    if (!rendered.ok) throw new Error(rendered.error);
    const documents = rendered.objects as unknown as readonly { texts?: readonly string[] }[];
    return documents.find(({ texts }) => texts !== undefined)?.texts ?? [];
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Values by the text that a template must have for them: the refusal, or `''` for accepted values. */
export type TextTable = Readonly<Record<string, unknown>>;

/** Returns the rows of a table, one for each of the values. */
export const rowsOf = (
  table: TextTable,
): readonly { readonly values: unknown; readonly text: string }[] =>
  Object.entries(table).flatMap(([text, values]) =>
    [values].flat().map((one) => ({ values: one, text })),
  );

/** Expects the texts of a table from a template fragment, in one run of Helm. */
export async function expectTexts(chart: ChartName, body: string, table: TextTable): Promise<void> {
  const rows = rowsOf(table);
  const texts = await templateTexts(
    chart,
    body,
    rows.map(({ values }) => values),
  );
  expect(rows.map(({ values }, at) => ({ values, text: texts[at] }))).toEqual(rows);
}

/** Returns a table with a prefix before each text, of values that a function makes. */
export const mapTable = (
  table: TextTable,
  prefix: string,
  create: (values: object) => object,
): TextTable =>
  Object.fromEntries(
    Object.entries(table).map(([text, values]) => [
      text === '' ? '' : prefix + text,
      [values].flat().map((one) => create(one as object)),
    ]),
  );
