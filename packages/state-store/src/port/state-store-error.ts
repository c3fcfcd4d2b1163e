/**
 * Reason of a failed operation: `unavailable` the store did not answer in time or is closed; `unreadable` a value is not one that this
 * process can read; `full` a limit of the store is reached and nothing was written.
 */
export type StateStoreErrorCode = 'unavailable' | 'unreadable' | 'full';

/** Failure of an operation of a state store. The message is one sentence without keys and values. */
export class StateStoreError extends Error {
  readonly code: StateStoreErrorCode;

  constructor(code: StateStoreErrorCode, message: string) {
    super(message);
    this.name = 'StateStoreError';
    this.code = code;
  }
}
