import { REFUSALS, type Refusal } from '@gateway/agent-manager-client';
import type { AgentChart } from '../chart/agent-chart.ts';
import type { Json } from '../store/objects.ts';
import type { KeyPath } from '../update/changed-paths.ts';

const refusedFor = (chart: AgentChart, problems: readonly string[]): readonly Refusal[] => {
  const { schemaVersion, schemaSource } = chart;
  return problems.length === 0
    ? []
    : [REFUSALS.valuesRefused({ schemaVersion, schemaSource, problems })];
};

/** Returns the refusal of the values of a new agent by the chart, if any. */
export const valuesProblems = (chart: AgentChart, values: Json): readonly Refusal[] =>
  refusedFor(chart, chart.problems(values));

const pointer = (path: KeyPath): string =>
  path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns whether a problem is about a value at or below one of these paths. */
const concerns = (problem: string, paths: readonly KeyPath[]): boolean =>
  paths
    .map(pointer)
    .some((path) => problem.startsWith(`${path}:`) || problem.startsWith(`${path}/`));

/** The values before and after a change. */
export interface ValuesChange {
  readonly before: Json;
  readonly after: Json;
  readonly changed: readonly KeyPath[];
}

/**
 * Returns the refusal of changed values by the chart, if any. A problem that existed before and is not about a changed value does not block
 * the change: another client wrote the value, possibly for a newer chart.
 */
export const changeProblems = (
  chart: AgentChart,
  { before, after, changed }: ValuesChange,
): readonly Refusal[] => {
  const problems = chart.problems(after);
  if (problems.length === 0) return [];
  const known = new Set(chart.problems(before));
  return refusedFor(
    chart,
    problems.filter((problem) => !known.has(problem) || concerns(problem, changed)),
  );
};
