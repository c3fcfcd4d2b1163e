import {
  meetsExpectations,
  type CheckedOutcome,
  type CompiledExpectations,
  type ExpectationsMet,
} from '../../expectations/expectations.ts';
import { checkWork } from '../../isolation/isolated-check.ts';
import type { TemplateData } from '../../model/template-data.ts';
import { inlineSearchLimits } from '../../paths/json-path.ts';
import type { Run } from '../state/run-state.ts';
import { doWork } from './do-work.ts';

/** The check of an outcome. */
interface Check {
  readonly expected: CompiledExpectations;
  readonly outcome: CheckedOutcome;
  readonly data: TemplateData;
}

/** Checks an outcome, at once when that is small. All paths and values of the check share the limits of one value. @spec §2.7 */
export const checkOutcome = (
  run: Run,
  { expected, outcome, data }: Check,
): ExpectationsMet | Promise<ExpectationsMet> =>
  doWork<ExpectationsMet>(run, {
    attempt: (allowance) => {
      const searches = run.ports.isolate === undefined ? undefined : inlineSearchLimits();
      const limits = { ...run.rendering, allowance, ...(searches && { searches }) };
      const met = meetsExpectations(expected, outcome, data, limits);
      // A search beyond the limit is repeated like a rendering that takes too many steps.
      if (searches !== undefined && searches.shared.left < 0) allowance.steps = -1;
      return met;
    },
    isolated: (limits) => checkWork(expected, outcome, data, limits),
    read: (result) => result as unknown as ExpectationsMet,
    failed: (text) => ({ ok: false, text }),
  });
