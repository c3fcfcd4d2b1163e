import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { render, type ManifestObject, type ChartOptions } from '../../src/render.ts';
import { templateTexts } from '../harness/template-texts.ts';

/** The chart `agent` as it is in the sources: it depends on no other. */
export const AGENT_CHART = join(import.meta.dirname, '../../agent') as `/${string}`;

/** A tool of a rendered Agent. */
export interface AgentTool {
  readonly type: string;
  readonly headersFrom?: readonly { readonly name: string; readonly value: string }[];
  readonly mcpServer?: Readonly<Record<string, unknown>>;
  readonly agent?: Readonly<Record<string, unknown>>;
}

/** A rendered Agent, as far as the tests look into it. */
export interface Agent extends ManifestObject {
  readonly spec: {
    readonly type: string;
    readonly description?: string;
    readonly declarative: {
      readonly systemMessage?: string;
      readonly tools?: readonly AgentTool[];
      readonly deployment: Readonly<Record<string, unknown>>;
    };
    readonly [key: string]: unknown;
  };
}

/** The text and the one object that the chart renders. */
export async function agentOf(
  values: unknown,
  options?: ChartOptions,
): Promise<{ readonly text: string; readonly agent: Agent }> {
  const rendered = await render(AGENT_CHART, values, options);
  if (!rendered.ok) throw new Error(rendered.error);
  const [agent, ...others] = rendered.objects;
  if (agent === undefined || others.length > 0)
    throw new Error(`${rendered.objects.length.toString()} objects`);
  return { text: rendered.text, agent: agent as Agent };
}

/** The tools of the Agent that the chart renders; undefined when it has no such key. */
export async function toolsOf(values: unknown): Promise<readonly AgentTool[] | undefined> {
  return (await agentOf(values)).agent.spec.declarative.tools;
}

const TEMPLATE_ERROR = /^Error: execution error at \(agent\/templates\/agent\.yaml:1:4\): (.*)$/su;
const SCHEMA_ERROR =
  /^Error: values don't meet the specifications of the schema\(s\) in the following chart\(s\):\nagent:\n(.*)$/su;

/** Returns the refusal of the chart: the sentence of the template, or the lines of the schema in order. */
export async function refusalOf(
  values: unknown,
  options?: ChartOptions,
): Promise<string | readonly string[]> {
  const rendered = await render(AGENT_CHART, values, options);
  if (rendered.ok) throw new Error(`renders ${JSON.stringify(values)}`);
  const error = rendered.error
    .replace('\n\nUse --debug flag to render out invalid YAML', '')
    .replaceAll(/^coalesce\.go:.*\n/gmu, '');
  const schema = SCHEMA_ERROR.exec(error)?.[1];
  if (schema !== undefined) return schema.trim().split('\n').toSorted();
  return TEMPLATE_ERROR.exec(error)?.[1] ?? error;
}

const withChart = async <T>(use: (folder: `/${string}`) => Promise<T>): Promise<T> => {
  const folder = (await mkdtemp(join(tmpdir(), 'agent-chart-'))) as `/${string}`;
  try {
    await cp(AGENT_CHART, join(folder, 'charts/agent'), { recursive: true });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const alias = (at: number): string => `a${at.toString().padStart(4, '0')}`;

/** Renders a chart that depends on the agent chart once for each of the values. */
const renderAliases = async (folder: `/${string}`, values: readonly unknown[]) => {
  const dependencies = values.map((_, at) => ({ name: 'agent', version: '*', alias: alias(at) }));
  const chart = { apiVersion: 'v2', name: 'many', version: '0.0.0', dependencies };
  await writeFile(join(folder, 'Chart.yaml'), JSON.stringify(chart));
  return render(folder, Object.fromEntries(values.map((value, at) => [alias(at), value])));
};

const renderMany = async (
  folder: `/${string}`,
  values: readonly unknown[],
): Promise<readonly ManifestObject[]> => {
  const rendered = await renderAliases(folder, values);
  if (!rendered.ok) throw new Error(rendered.error);
  const aliasOf = ({ metadata }: ManifestObject): string =>
    metadata.labels?.['helm.sh/chart'] ?? '';
  return rendered.objects.toSorted((a, b) => (aliasOf(a) < aliasOf(b) ? -1 : 1));
};

/** The Agents that the chart renders for many values, in order, all in one run of Helm. */
export async function agentsOf(values: readonly unknown[]): Promise<readonly Agent[]> {
  return await withChart(async (folder) => {
    return (await renderMany(folder, values)) as readonly Agent[];
  });
}

const REFUSED_CHART = /^(a\d{4}):$/gmu;

/** Returns for each of the values whether the schema refuses it, in one run of Helm. */
export async function refusedAmong(values: readonly unknown[]): Promise<readonly boolean[]> {
  return await withChart(async (folder) => {
    // Nothing is rendered, so refusals of templates do not occur.
    await rm(join(folder, 'charts/agent/templates'), { recursive: true });
    const rendered = await renderAliases(folder, values);
    const refused = rendered.ok ? [] : [...rendered.error.matchAll(REFUSED_CHART)];
    const names = new Set(refused.map(([, name]) => name));
    return values.map((_, at) => names.has(alias(at)));
  });
}

const notesAsObject = (notes: string): string => `{{ define "notes" }}${notes}{{ end -}}
metadata:
  labels: {helm.sh/chart: {{ .Chart.Name }}}
notes: {{ include "notes" . | toJson }}
`;

/** Returns the notes of the chart for each of the values. */
export async function notesOf(values: readonly unknown[]): Promise<readonly string[]> {
  return await withChart(async (folder) => {
    const templates = join(folder, 'charts/agent/templates');
    const notes = await readFile(join(templates, 'NOTES.txt'), 'utf8');
    await writeFile(join(templates, 'agent.yaml'), notesAsObject(notes));
    return (await renderMany(folder, values)).map((object) => String(object['notes']));
  });
}

/** Returns the result of the chart's check for each toolset, in one run of Helm; empty without a problem. */
export async function toolsetProblems(toolsets: readonly unknown[]): Promise<readonly string[]> {
  const body = '{{ include "agent.toolset.problem" .Values.given.toolset | b64enc }}';
  const texts = await templateTexts(
    'agent',
    body,
    toolsets.map((toolset) => ({ given: { toolset } })),
  );
  return texts.map((text) => Buffer.from(text, 'base64').toString());
}
