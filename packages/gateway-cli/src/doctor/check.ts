/** The result of one check. `note`: it is not a defect, or could not be checked. */
export type Verdict = 'ok' | 'note' | 'problem';

/** One line of the report. */
export interface Check {
  readonly area: 'node' | 'configuration' | 'port' | 'server';
  /** The server or the address that was checked. */
  readonly subject?: string;
  readonly verdict: Verdict;
  readonly message: string;
  readonly remedy?: string;
  /** The facts about a server, for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
}
