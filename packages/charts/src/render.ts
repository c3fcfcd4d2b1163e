import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { prepareCharts, type ChartName } from './assemble-charts.ts';
import { runHelm } from './helm.ts';

const NOT_ASCII = /[^\u0020-\u007e]/gu;

const escapeCharacter = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * Returns values as a file that Helm reads without changes: JSON, with YAML escapes for characters that are not printable ASCII.
 */
const formatValues = (values: unknown): string =>
  JSON.stringify(values).replace(NOT_ASCII, escapeCharacter);

/** One rendered Kubernetes object. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** Options of a render: values, release, and additional arguments of `helm template`. */
export interface ChartOptions {
  readonly release?: string;
  readonly namespace?: string;
  /** Additional arguments, such as `--skip-schema-validation` or `--api-versions`. */
  readonly args?: readonly string[];
}

/** Result of a render: the YAML text and its objects in order, or the refusal of Helm. */
export type RenderedChart =
  | { readonly ok: true; readonly text: string; readonly objects: readonly ManifestObject[] }
  | { readonly ok: false; readonly error: string };

const withValuesFile = async <T>(
  values: unknown,
  use: (file: string) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'chart-values-'));
  try {
    const file = join(folder, 'values.yaml');
    await writeFile(file, formatValues(values));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Returns the objects of a rendered text, without empty documents.
 *
 * @throws when the text is not YAML or repeats a key, which Helm accepts
 */
export const parseManifestObjects = (text: string): readonly ManifestObject[] =>
  parseAllDocuments(text, { version: '1.1' })
    .map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS() as ManifestObject | null;
    })
    .filter((object) => object !== null);

/**
 * Renders a chart and its dependencies with `helm template`.
 *
 * @param chart folder of the chart, or the path of any chart
 * @param values values that override those of the chart
 */
export async function render(
  chart: ChartName | `/${string}`,
  values: unknown = {},
  { release = 'demo', namespace = 'demo-ns', args = [] }: ChartOptions = {},
): Promise<RenderedChart> {
  const path = chart.startsWith('/') ? chart : join(await prepareCharts(), chart);
  return await withValuesFile(values, async (file) => {
    const command = [
      'template',
      release,
      path,
      '--namespace',
      namespace,
      '--values',
      file,
      ...args,
    ];
    const { code, stdout, stderr } = await runHelm(command);
    if (code !== 0) return { ok: false, error: stderr.trim() };
    return { ok: true, text: stdout, objects: parseManifestObjects(stdout) };
  });
}

/** Runs `helm lint --strict`. Returns undefined without findings, otherwise the output. */
export async function lint(chart: ChartName, values: unknown = {}): Promise<string | undefined> {
  const path = join(await prepareCharts(), chart);
  return await withValuesFile(values, async (file) => {
    const { code, stdout, stderr } = await runHelm([
      'lint',
      '--strict',
      '--quiet',
      path,
      '--values',
      file,
    ]);
    return code === 0 ? undefined : `${stdout}${stderr}`;
  });
}
