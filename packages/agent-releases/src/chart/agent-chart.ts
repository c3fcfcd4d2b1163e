import { EMBEDDED_CHART } from './embedded-chart.ts';
import { createValuesValidator } from './values-validator.ts';
import type { Json } from '../store/objects.ts';

/** The agent chart; each agent is a release of it. */
export interface AgentChart {
  /** Name of the chart and of its source: `agent`. */
  readonly name: string;
  /** The URL of the chart: `oci://registry/charts/agent`. */
  readonly ociUrl: string;
  /** The range of versions that Flux installs. */
  readonly semver: string;
  /** The version of the embedded schema, and its origin. */
  readonly schemaVersion: string;
  readonly schemaSource: 'registry' | 'embedded';
  /** Returns the problems of values as `path: message`, sorted; `(root)` for the whole. Never throws. */
  readonly problems: (values: Json) => readonly string[];
}

/** The URL of the chart and the accepted versions. */
export type ChartSource = Pick<AgentChart, 'ociUrl' | 'semver'>;

/** Returns the agent chart of this version, which validates values by its embedded schema. */
export const agentChart = ({ ociUrl, semver }: ChartSource): AgentChart => ({
  name: EMBEDDED_CHART.name,
  ociUrl,
  semver,
  schemaVersion: EMBEDDED_CHART.version,
  schemaSource: 'embedded',
  problems: createValuesValidator(EMBEDDED_CHART),
});
