import type { AgentChart } from '../chart/agent-chart.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import { at, textOf } from '../values/lenient.ts';

/** What a release has its chart from; undefined when it names nothing that can be found. */
export interface ChartRef extends ObjectName {
  readonly kind: string;
}

/** The `chartRef` of a release; its namespace is that of the release unless it says otherwise. */
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

/** The `OCIRepository` that a release has its chart from; undefined when it is none. */
export const sourceNameOf = (release: HelmRelease): ObjectName | undefined => {
  const ref = chartRefOf(release);
  return ref?.kind === 'OCIRepository' ? { namespace: ref.namespace, name: ref.name } : undefined;
};

/** Whether a source is named as that of the agent chart is. */
export const isNamedAsChart = (source: ObjectName, chart: AgentChart): boolean =>
  source.name === chart.name;

/** Whether a source leads to the agent chart, whatever its name. */
export const leadsToChart = (source: OciRepository | undefined, chart: AgentChart): boolean =>
  at(source, 'spec', 'url') === chart.ociUrl;
