import { constants } from 'node:fs';
import type { ReadOptions } from './read-text.ts';

// Without O_NONBLOCK, opening a pipe without a writer never returns.
const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Returns the flags that a file is opened with for reading. */
export const readingFlags = ({ refuseLinks = false }: ReadOptions): number =>
  READ_WITHOUT_WAITING | (refuseLinks ? constants.O_NOFOLLOW : 0);
