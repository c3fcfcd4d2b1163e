/** The revisions of the protocol whose requirements the gateway is held to. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** A revision of the protocol, by its date. */
export type Revision = (typeof REVISIONS)[number];

/** Which side of the protocol a scenario looks at: the gateway as its clients see it, or as servers see it. */
export type Side = 'server' | 'client';

/** One scenario of the suite, as a requirement set names it. */
export interface Scenario {
  readonly revision: Revision;
  readonly side: Side;
  readonly name: string;
  /** Whether the revision requires it; the others are run and reported by the suite without counting. */
  readonly scored: boolean;
}
