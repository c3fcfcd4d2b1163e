import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { OpenerDependencies } from './personal-opener.ts';
import type { BackoffPolicy } from '../wire/limits.ts';
import type { PersonalPolicy } from './personal-policy.ts';
import type { PersonalRecord } from './personal-record.ts';

/** The dependencies of the connections of persons. */
export interface PersonalRecordsOptions extends Omit<
  OpenerDependencies,
  | 'inventories'
  | 'slots'
  | 'open'
  | 'definitionOf'
  | 'onChanged'
  | 'onProblem'
  | 'onAuthorized'
  | 'onSessionEnded'
  | 'onLost'
> {
  readonly policy: PersonalPolicy;
  /** Between two sessions of a record that the server refuses. */
  readonly backoff: BackoffPolicy;
  readonly declared: DeclaredTools;
  /** Returns whether a person follows resources of a server. */
  readonly isSubscribed: (record: PersonalRecord) => boolean;
  /** The state or the lists of a person changed. */
  readonly onPersonChanged: (principalKey: string) => void;
}
