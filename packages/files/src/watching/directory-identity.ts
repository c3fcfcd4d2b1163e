import { statSync, type BigIntStats } from 'node:fs';

/** Returns a text that identifies a directory. Inode numbers are reused at once, so that the time of birth is part of it. */
export const directoryIdentityOf = ({ dev, ino, birthtimeNs }: BigIntStats): string =>
  [dev, ino, birthtimeNs].join(':');

/** Returns the identity of the directory at a path, undefined when nothing is there. Throws when its stats cannot be read. */
export const directoryIdentityAt = (directory: string): string | undefined => {
  const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
  return stats && directoryIdentityOf(stats);
};
