import { z } from 'zod';

/** The meaning of a key besides its values. */
interface KeyFacts {
  /** A running gateway applies a new value; every other key takes effect at the next start. */
  readonly isReloadable?: true;
  /** Commands of a running gateway can change the key. */
  readonly isChangeable?: true;
}

/** The meaning of keys, which is declared with them. */
export const KEY_FACTS = z.registry<KeyFacts>();

export const DAY_SECONDS = 86_400;

/** Bytes of a mebibyte. */
export const MIB = 1024 * 1024;

const MAX_DOMAIN_CHARS = 253;
const MAX_NAMES = 256;

/** Returns the schema of a whole number between two bounds. */
export const createWholeNumber = (min: number, max: number): z.ZodInt => {
  const error = `must be a whole number from ${min.toString()} to ${max.toString()}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

export const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });

export const flag = z.boolean({ error: 'must be true or false' });

export const texts = z
  .array(text, { error: 'must be a list' })
  .max(MAX_NAMES, { error: `must have at most ${MAX_NAMES.toString()} items` });

/** A DNS name. */
export const domainName = z
  .string({ error: 'must be a text' })
  .max(MAX_DOMAIN_CHARS, { error: `must have at most ${MAX_DOMAIN_CHARS.toString()} characters` })
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u, {
    error: 'must be a DNS name in lower case, such as gateway.internal',
  });

/** The error of a value that is not a mapping. */
export const MAPPING = { error: 'must be a mapping' };
