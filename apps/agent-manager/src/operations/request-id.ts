import { randomUUID } from 'node:crypto';

const USABLE = /^[\w.:-]{1,64}$/u;

/** The id of a request: the one that its sender gave it where that can be repeated, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && USABLE.test(given) ? given : randomUUID();
