import type { Caller } from '@gateway/call-contract';

/**
 * Returns a caller as an instance sees it: all calls of its only client have one identity, so that a question of the server belongs to them
 * while several of them run.
 */
export const callerOfInstance = (caller: Caller, client: string): Caller => ({
  get capabilities() {
    return caller.capabilities;
  },
  get takesInputRequired() {
    return caller.takesInputRequired;
  },
  get logLevel() {
    return caller.logLevel;
  },
  identity: client,
  client,
  ask: (...question) => caller.ask(...question),
  notify: (notification) => {
    caller.notify(notification);
  },
});
