import { type Caller, NO_SESSION } from './caller.ts';

type CallerOverrides = Partial<Pick<Caller, 'takesInputRequired' | 'identity' | 'client'>>;

/**
 * Returns the caller with other values of some members. The others are read when they are used. The result is `Required`, so that a new
 * member of {@link Caller} does not compile until it is passed on.
 */
export const withOverrides = (caller: Caller, overrides: CallerOverrides): Required<Caller> => ({
  get capabilities() {
    return caller.capabilities;
  },
  get takesInputRequired() {
    return overrides.takesInputRequired ?? caller.takesInputRequired;
  },
  get takesResourceLinks() {
    return caller.takesResourceLinks ?? false;
  },
  get logLevel() {
    return caller.logLevel;
  },
  get identity() {
    return overrides.identity ?? caller.identity;
  },
  get client() {
    return overrides.client ?? caller.client;
  },
  get user() {
    return caller.user;
  },
  ask: (...question) => caller.ask(...question),
  notify: (notification) => {
    caller.notify(notification);
  },
  openNotificationChannel: (name) =>
    caller.openNotificationChannel?.(name) ?? Promise.resolve(NO_SESSION),
});
