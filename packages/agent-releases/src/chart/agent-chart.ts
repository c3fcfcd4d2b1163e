import { EMBEDDED_CHART } from './embedded-chart.ts';
import { valuesJudge } from './values-judge.ts';
import type { Json } from '../store/objects.ts';

/** The agent chart; each agent is a release of it. */
export interface AgentChart {
  /** Name of the chart and of its source: `agent`. */
  readonly name: string;
  /** Where Flux pulls it from: `oci://registry/charts/agent`. */
  readonly ociUrl: string;
  /** Which versions Flux takes: a range. */
  readonly semver: string;
  /** Version whose schema is known here, and where that is from. */
  readonly schemaVersion: string;
  readonly schemaSource: 'registry' | 'embedded';
  /** What the chart does not take of these values, as `path: message`, sorted; `(root)` for the whole. Never throws. */
  readonly problems: (values: Json) => readonly string[];
}

/** Where Flux pulls the chart from, and which versions it takes. */
export type ChartSource = Pick<AgentChart, 'ociUrl' | 'semver'>;

/** The agent chart as this version knows it: judged by the schema that it carries, without asking anybody. */
export const agentChart = ({ ociUrl, semver }: ChartSource): AgentChart => ({
  name: EMBEDDED_CHART.name,
  ociUrl,
  semver,
  schemaVersion: EMBEDDED_CHART.version,
  schemaSource: 'embedded',
  problems: valuesJudge(EMBEDDED_CHART),
});
