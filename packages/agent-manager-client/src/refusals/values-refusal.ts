import { refusal, type Refusal } from './refusal.ts';
import { formatBare, formatList } from './shown.ts';

/** Refusals of values by the agent chart. @spec §4.4 */
export const VALUES_REFUSALS = {
  /** @param facts.problems `path: message` each, sorted */
  valuesRefused: (facts: {
    readonly schemaVersion: string;
    readonly schemaSource: string;
    readonly problems: readonly string[];
  }): Refusal =>
    refusal(
      'invalid_request',
      `values do not satisfy the agent chart schema ${formatBare(facts.schemaVersion)} (${facts.schemaSource}): ${formatList(facts.problems, '; ')}`,
    ),
} as const;
