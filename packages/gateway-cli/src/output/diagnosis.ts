import type { FindingText } from '@gateway/resource-store';

/** The part of an installation that a finding is about. */
export type DiagnosisArea = 'configuration' | 'files' | 'cluster' | 'state' | 'servers';

/** One line of a diagnosis. */
export interface DiagnosisLine extends FindingText {
  readonly area: DiagnosisArea;
  /** Stable, for programs. */
  readonly code: string;
}

/** Returns a line about a problem. */
export const problemLine = (
  area: DiagnosisArea,
  code: string,
  text: Pick<FindingText, 'message' | 'remedy'>,
): DiagnosisLine => ({ area, code, severity: 'problem', ...text });
