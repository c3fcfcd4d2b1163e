import { readFileSync } from 'node:fs';
import type { JsonObject } from '@gateway/call-contract';
import { buildCatalog, rankTools, type CatalogSnapshot, type CatalogTool } from '../src/index.ts';

/** The quality of the search over the labelled sets of `data`, whose README describes them. */

interface ListedTool {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
}

interface CoreEntry {
  readonly name: `core_${string}`;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A query and the ids of its acceptable tools, `server:tool`, or `server:*` for any tool of a server. */
export interface LabelledQuery {
  readonly part: string;
  readonly kind: string;
  readonly query: string;
  readonly tools: readonly string[];
}

/** Means over the queries of a group. */
export interface Figures {
  readonly queries: number;
  readonly at1: number;
  readonly at5: number;
  readonly at10: number;
  /** Mean of 1/rank of the first acceptable tool. */
  readonly reciprocalRank: number;
}

const read = (file: string): string =>
  readFileSync(new URL(`../bench/data/${file}`, import.meta.url), 'utf8');

const toolsOf = (file: string): readonly ListedTool[] => JSON.parse(read(file)) as ListedTool[];

interface Source {
  readonly file: string;
  readonly withCoreTools: boolean;
}

function catalogOf({ file, withCoreTools }: Source): CatalogSnapshot {
  const byServer = new Map<string, ListedTool[]>();
  for (const tool of toolsOf(file)) {
    byServer.set(tool.server, [...(byServer.get(tool.server) ?? []), tool]);
  }
  const servers = [...byServer].map(([name, tools]) => ({
    name,
    labels: {},
    tools: tools.map(({ tool, description, inputSchema = { type: 'object' } }) => ({
      name: tool,
      description,
      inputSchema,
    })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  }));
  const core = withCoreTools ? (JSON.parse(read('core-tools.json')) as CoreEntry[]) : [];
  const coreTools = core.map((entry) => ({ ...entry, annotations: {} }));
  return buildCatalog({ servers, workflows: [], coreTools });
}

const idOf = ({ name, providers: [provider] }: CatalogTool): string =>
  provider === undefined ? name : `${provider.server}:${provider.serverTool}`;

function readQueries(file: string): readonly LabelledQuery[] {
  const [, ...lines] = read(file).trim().split('\n');
  return lines.map((line) => {
    const [part = '', kind = '', query = '', tools = ''] = line.split('\t');
    return { part, kind, query, tools: tools.split(', ') };
  });
}

interface ReferenceQuery {
  readonly query: string;
  readonly labels: Readonly<Record<string, number>>;
}

function referenceQueries(least: number): readonly LabelledQuery[] {
  const all = JSON.parse(read('reference-queries.json')) as ReferenceQuery[];
  return all.map(({ query, labels }) => ({
    part: 'reference',
    kind: 'goal',
    query,
    tools: Object.keys(labels).filter((tool) => (labels[tool] ?? 0) >= least),
  }));
}

const accepts = (tools: readonly string[], id: string): boolean =>
  tools.some((one) => one === id || (one.endsWith(':*') && id.startsWith(one.slice(0, -1))));

/** How the tools found are counted: whether any acceptable one is among the first, or the share of all of them. */
type Measure = (tools: readonly string[], ids: readonly string[]) => number;

const anyOf: Measure = (tools, ids) => (ids.some((id) => accepts(tools, id)) ? 1 : 0);

const computeShare: Measure = (tools, ids) =>
  tools.filter((tool) => ids.includes(tool)).length / tools.length;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function figuresOf(
  queries: readonly LabelledQuery[],
  snapshot: CatalogSnapshot,
  measure: Measure,
): Figures {
  const found = queries.map(({ query, tools }) => {
    const ranked = rankTools(snapshot, query, snapshot.tools);
    return { tools, ids: ranked.map(({ tool }) => idOf(tool)) };
  });
  const at = (count: number): number =>
    mean(found.map(({ tools, ids }) => measure(tools, ids.slice(0, count))));
  const ranks = found.map(({ tools, ids }) => ids.findIndex((id) => accepts(tools, id)) + 1);
  const reciprocalRank = mean(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank)));
  return { queries: queries.length, at1: at(1), at5: at(5), at10: at(10), reciprocalRank };
}

/**
 * Returns the figures of the development set and of the tasks of LiveMCPBench by part, and by part and kind: any acceptable tool among the
 * first.
 */
export function developmentFigures(): ReadonlyMap<string, Figures> {
  const queries = ['development-queries.tsv', 'livemcp-tasks.tsv'].flatMap(readQueries);
  const snapshot = catalogOf({ file: 'livemcp-tools.json', withCoreTools: true });
  const groups = new Map<string, LabelledQuery[]>();
  for (const query of queries) {
    for (const group of [query.part, `${query.part}, ${query.kind}`]) {
      groups.set(group, [...(groups.get(group) ?? []), query]);
    }
  }
  return new Map(
    [...groups].map(([group, queries]) => [group, figuresOf(queries, snapshot, anyOf)]),
  );
}

/**
 * Returns the figures of the reference set: the share of the acceptable tools among the first.
 *
 * @param least the least relevance of a label that counts: 2, or 1 for both
 */
export function referenceFigures(least: 1 | 2): Figures {
  const snapshot = catalogOf({ file: 'reference-tools.json', withCoreTools: false });
  return figuresOf(referenceQueries(least), snapshot, computeShare);
}
