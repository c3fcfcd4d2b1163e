/** A progress report of a running call: `notifications/progress` without its token. Unknown keys are preserved. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly [key: string]: unknown;
}
