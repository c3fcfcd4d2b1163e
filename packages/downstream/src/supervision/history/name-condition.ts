import type { NameConflict, NameConflicts } from '@gateway/catalog';
import type { StatusCondition } from '@gateway/crd-schemas';

/** Maximum number of names in the message of the condition. */
const MAX_SHOWN = 3;

const conflictText = ({ kind, name, heldBy }: NameConflict): string =>
  `${kind} ${name} (held by ${heldBy})`;

/**
 * Returns the condition of a server of which tools or prompts are not served, because other servers hold their names.
 *
 * @param since start of the conflicts, in milliseconds since the epoch
 */
export const nameCondition = ({ total, first }: NameConflicts, since: number): StatusCondition => {
  const shown = first.slice(0, MAX_SHOWN).map(conflictText);
  const more = total > shown.length ? [`and ${total - shown.length} more`] : [];
  return {
    type: 'NamesAccepted',
    status: 'False',
    reason: 'NameConflict',
    message: `Not served: ${[...shown, ...more].join(', ')}. Set another toolPrefix.`,
    lastTransitionTime: new Date(since).toISOString(),
  };
};
