import { CommandFailure } from '../failure.ts';

/** Returns the failure of a sign-in that is missing or has ended, with the command that repeats it. */
export const signInRequired = (url: string, reason = 'requires a sign-in'): CommandFailure =>
  new CommandFailure('failed', `${url} ${reason}: run gateway auth login ${url}`);
