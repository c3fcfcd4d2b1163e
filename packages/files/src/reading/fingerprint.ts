import type { BigIntStats } from 'node:fs';

/** Returns a text that differs between two versions of a file that are at least a clock tick apart, even if size and name are equal. */
export const fingerprintOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(':');
