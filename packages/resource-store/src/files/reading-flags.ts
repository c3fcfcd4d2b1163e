import { constants } from 'node:fs';
import type { ReadOptions } from './read-text.ts';

// Without it, opening a pipe that nobody writes to would never return.
const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** How a file is opened to be read. */
export const readingFlags = ({ refuseLinks = false }: ReadOptions): number =>
  READ_WITHOUT_WAITING | (refuseLinks ? constants.O_NOFOLLOW : 0);
