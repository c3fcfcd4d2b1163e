import type { Json } from '../store/objects.ts';

/** The chart that agents are releases of. */
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
