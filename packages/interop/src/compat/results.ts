import type { Verdict } from './features/verdict.ts';
import type { Pinned } from './install/pinned.ts';

/** The result of one client or server. */
export interface SubjectResult extends Pinned {
  readonly id: string;
  readonly title: string;
  /** Why it could not run. */
  readonly notRun?: string;
  /** The verdicts by the id of the feature; empty when it did not run. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

/** The result of one section of `docs/clients.md`. */
export interface GuideResult {
  /** The heading. */
  readonly title: string;
  /** The program that read the configuration of the section. */
  readonly package?: string;
  readonly version?: string;
  readonly verdict: Verdict;
}

/** A run of the suite. */
export interface CompatResults {
  /** The day of the run, for example 2026-11-23. */
  readonly date: string;
  readonly clients: readonly SubjectResult[];
  readonly servers: readonly SubjectResult[];
  readonly guide: readonly GuideResult[];
}

/** Returns the failures of a run, one line each. */
export const failuresOf = ({ clients, servers, guide }: CompatResults): readonly string[] => [
  ...[...clients, ...servers].flatMap(({ title, notRun, verdicts }) => [
    ...(notRun === undefined ? [] : [`${title}: not run: ${notRun}`]),
    ...Object.entries(verdicts).flatMap(([feature, verdict]) =>
      verdict.kind === 'fails' ? [`${title}: ${feature}: ${verdict.problem}`] : [],
    ),
  ]),
  ...guide.flatMap(({ title, verdict }) =>
    verdict.kind === 'fails' ? [`docs/clients.md, ${title}: ${verdict.problem}`] : [],
  ),
];
