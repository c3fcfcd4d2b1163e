/** The revisions of the protocol whose requirements the gateway must pass. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** A revision of the protocol, by its date. */
export type Revision = (typeof REVISIONS)[number];

/** The role that a scenario checks: the gateway as a server, as a client of servers, or as the authorization server of its clients. */
export type Side = 'server' | 'client' | 'authorization';

/** One scenario of the suite, as a requirement set names it. */
export interface Scenario {
  readonly revision: Revision;
  readonly side: Side;
  readonly name: string;
  /** True when the revision requires it. The suite runs and reports the others without counting them. */
  readonly scored: boolean;
}
