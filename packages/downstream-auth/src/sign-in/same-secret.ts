import { createHash, timingSafeEqual } from 'node:crypto';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns true when two texts exist and are equal. The comparison takes the same time for every text. */
export const isSameSecret = (sent: string | undefined, expected: string | undefined): boolean =>
  sent !== undefined && expected !== undefined && timingSafeEqual(hash(sent), hash(expected));
