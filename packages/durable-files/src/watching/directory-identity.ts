import type { BigIntStats } from 'node:fs';

/** Returns a text that identifies a directory. Inode numbers are reused at once, so that the time of birth is part of it. */
export const directoryIdentityOf = ({ dev, ino, birthtimeNs }: BigIntStats): string =>
  [dev, ino, birthtimeNs].join(':');
