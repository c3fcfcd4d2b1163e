import type { LabelsUnavailable } from './labels-unavailable.ts';
import type { ServerLabels } from './rule-tools.ts';
import type { ToolsetQuestion } from './toolset-question.ts';

/** The labels that label rules use when no labels could be read. */
export const NO_LABELS: ServerLabels = new Map();

/** Returns the labels that the rules of a toolset require; none when there is no label rule. */
export interface LabelReading {
  readonly labels?: ServerLabels;
  readonly warning?: LabelsUnavailable;
}

/** Reads the labels, once, and only when a label rule is in use. @spec §2.2 */
export const readLabels = ({
  toolset,
  presets,
  catalog,
  serverLabels,
}: ToolsetQuestion): LabelReading => {
  const inUse = toolset.selectors.some(
    ({ kind, name }) => kind === 'preset' && presets.usingLabels.has(name),
  );
  if (!inUse) return {};
  if (serverLabels === undefined) return { labels: catalog.serverLabels };
  try {
    return { labels: serverLabels() };
  } catch (cause) {
    return { labels: NO_LABELS, warning: { code: 'labels.unavailable', cause } };
  }
};
