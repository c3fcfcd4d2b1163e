/** The labels of the servers could not be read, so that label rules select nothing. */
export interface LabelsUnavailable {
  readonly code: 'labels.unavailable';
  readonly cause: unknown;
}

/** The warning as one sentence for a log. */
export const labelsUnavailableText = ({ cause }: LabelsUnavailable): string =>
  `labels of servers are unavailable, label rules select nothing: ${cause instanceof Error ? cause.message : String(cause)}`;
