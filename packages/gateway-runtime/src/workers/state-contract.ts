import type { Members } from '@gateway/process-link';
import type { StateKey, StateStore, StateStoreErrorCode } from '@gateway/state-store';

/** The result of an operation, or its failure: the code of an error is not part of a failed call over a link. */
export type StateResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: StateStoreErrorCode; readonly message: string };

/** Options of a write: milliseconds, and the key of the group. */
export interface StateWrite {
  readonly ttlMs: number;
  readonly group?: StateKey;
}

/** The state store of the primary process, as workers reach it. An absent value is null. */
export interface StateContract {
  get(key: StateKey): Promise<StateResult<string | null>>;
  set(key: StateKey, value: string, options: StateWrite): Promise<StateResult<null>>;
  add(key: StateKey, value: string, options: StateWrite): Promise<StateResult<boolean>>;
  replace(key: StateKey, value: string, options: StateWrite): Promise<StateResult<boolean>>;
  take(key: StateKey): Promise<StateResult<string | null>>;
  delete(key: StateKey): Promise<StateResult<null>>;
  deleteIf(key: StateKey, value: string): Promise<StateResult<boolean>>;
  deleteGroup(group: StateKey): Promise<StateResult<null>>;
  publish(channel: string, text: string): Promise<StateResult<null>>;
  subscribe: StateStore['subscribe'];
}

/** Messages are dropped while so many characters of them wait to leave a process; listeners may miss one. */
const MAX_UNSENT_MESSAGES = 16 * 1024 * 1024;

/** The members of {@link StateContract} that are not requests. */
export const STATE_MEMBERS: Members<StateContract> = {
  subscribe: { kind: 'subscription', maxUnsent: MAX_UNSENT_MESSAGES },
};
