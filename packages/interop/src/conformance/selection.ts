import { NOT_APPLICABLE, reasonNotToApply } from './not-applicable.ts';
import { requirementSet } from './requirement-set.ts';
import type { Revision, Scenario } from './scenario.ts';

/** The scenarios of a revision that are run, and those that are not. */
export interface Selection {
  /** They are run, and all must pass: those that the revision requires, and those that are only reported too. */
  readonly run: readonly Scenario[];
  readonly listed: readonly (Scenario & { readonly reason: string })[];
  /** Listed as not applicable, though the suite has no such scenario. */
  readonly unknown: readonly string[];
}

/** Divides the scenarios of a revision into those that are run and those that cannot apply; there is no third kind. */
export function selectionOf(revision: Revision): Selection {
  const set = requirementSet(revision);
  const run: Scenario[] = [];
  const listed: (Scenario & { reason: string })[] = [];
  for (const scenario of set) {
    const reason = reasonNotToApply(scenario);
    if (reason === undefined) run.push(scenario);
    else listed.push({ ...scenario, reason });
  }
  const unknown = NOT_APPLICABLE.flatMap(({ side, scenarios }) =>
    scenarios[revision].filter(
      (name) => !set.some((scenario) => scenario.side === side && scenario.name === name),
    ),
  );
  return { run, listed, unknown };
}
