import { parseStateKey, type StateEncryptionKey } from '../../src/encryption/encrypted-store.ts';

/** A key of 32 equal bytes. */
export const findKey = (byte: number): StateEncryptionKey => {
  const parsed = parseStateKey(Buffer.alloc(32, byte).toString('base64'), 'test');
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.key;
};
