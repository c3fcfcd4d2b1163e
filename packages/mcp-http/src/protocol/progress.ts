/** A progress report of a running call (`notifications/progress` without its token), passed through as it is: unknown keys are kept. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly [key: string]: unknown;
}
