import type { Answer } from '@gateway/agent-manager-client';
import type { AgentChart } from '../chart/agent-chart.ts';
import { isNamedAsChart, leadsToChart, sourceNameOf } from '../read/chart-ref.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { HelmRelease, ObjectName } from '../store/objects.ts';

const keyOf = ({ namespace, name }: ObjectName): string => `${namespace}/${name}`;

/** Which of these sources lead to the agent chart under another name. */
const otherSources = async (
  store: AgentStore,
  chart: AgentChart,
  sources: readonly ObjectName[],
): Promise<Answer<ReadonlySet<string>>> => {
  const unnamed = new Map(
    sources
      .filter((source) => !isNamedAsChart(source, chart))
      .map((source) => [keyOf(source), source]),
  );
  const leading = new Set<string>();
  for (const [key, source] of unnamed) {
    const found = await store.getSource(source);
    if (!found.ok) return found;
    if (leadsToChart(found.value, chart)) leading.add(key);
  }
  return { ok: true, value: leading };
};

/** Those releases that are of the agent chart: by the name of their source, or by where it leads. */
export const agentReleases = async (
  { store, chart }: { readonly store: AgentStore; readonly chart: AgentChart },
  releases: readonly HelmRelease[],
): Promise<Answer<readonly HelmRelease[]>> => {
  const sources = releases.map(sourceNameOf);
  const others = await otherSources(
    store,
    chart,
    sources.filter((source) => source !== undefined),
  );
  if (!others.ok) return others;
  const isOfChart = (source: ObjectName | undefined): boolean =>
    source !== undefined && (isNamedAsChart(source, chart) || others.value.has(keyOf(source)));
  return { ok: true, value: releases.filter((_, index) => isOfChart(sources[index])) };
};
