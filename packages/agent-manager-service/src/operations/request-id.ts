import { randomUUID } from 'node:crypto';

const USABLE = /^[\w.:-]{1,64}$/u;

/** Returns the id that the sender gave a request if it is 1 to 64 characters of `[\w.:-]`, else a new UUID. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && USABLE.test(given) ? given : randomUUID();
