import { createHash } from 'node:crypto';
import type { StateKey } from './state-store.ts';

const MAX_PLAIN_CHARACTERS = 256;

/**
 * Returns a text of at most 256 characters that differs for different keys. It begins with the kind and a colon. Parts may be any text:
 * JSON separates and escapes them, and a long key is replaced with its SHA-256.
 */
export const encodeKey = ([kind, ...parts]: StateKey): string => {
  const plain = `${kind}:${JSON.stringify(parts)}`;
  if (plain.length <= MAX_PLAIN_CHARACTERS) return plain;
  return `${kind}:${createHash('sha256').update(plain).digest('base64url')}`;
};
