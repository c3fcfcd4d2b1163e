import type { AgentChart } from '../chart/agent-chart.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import { at, textOf } from '../values/lenient.ts';

/** Returns the source of the chart of a release; undefined when it names none. */
export interface ChartRef extends ObjectName {
  readonly kind: string;
}

/** Returns the `chartRef` of a release. Its default namespace is that of the release. */
export const chartRefOf = (release: HelmRelease): ChartRef | undefined => {
  const kind = textOf(at(release, 'spec', 'chartRef', 'kind'));
  const name = textOf(at(release, 'spec', 'chartRef', 'name'));
  if (kind === undefined || name === undefined) return undefined;
  const namespace =
    textOf(at(release, 'spec', 'chartRef', 'namespace')) ??
    textOf(at(release, 'metadata', 'namespace')) ??
    '';
  return { kind, name, namespace };
};

/** Returns the name of the `OCIRepository` with the chart of a release; undefined when the release has none. */
export const sourceNameOf = (release: HelmRelease): ObjectName | undefined => {
  const ref = chartRefOf(release);
  return ref?.kind === 'OCIRepository' ? { namespace: ref.namespace, name: ref.name } : undefined;
};

/** Returns whether a source provides the agent chart, independent of the name of the source. */
export const isNamedAsChart = (source: ObjectName, chart: AgentChart): boolean =>
  source.name === chart.name;

/** Returns whether a source provides the agent chart, whatever its name. */
export const leadsToChart = (source: OciRepository | undefined, chart: AgentChart): boolean =>
  at(source, 'spec', 'url') === chart.ociUrl;
