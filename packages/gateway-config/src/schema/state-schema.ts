import { z } from 'zod';
import { MAPPING, text } from './field-types.ts';

const STORES = ['memory', 'redis'] as const;

/** The key `state`: where sign-ins and tokens are stored. */
export const stateSchema = z.strictObject(
  {
    store: z
      .enum(STORES, { error: 'must be memory or redis' })
      .default('memory')
      .describe('`memory`: until the process ends; `redis`: in a Redis or Valkey server'),
    url: text
      .optional()
      .describe('the server: `redis://host:port/database`, or `rediss://` for TLS'),
    passwordFile: text
      .optional()
      .describe(
        'file with the password, relative to the configuration directory; environment: `GATEWAY_STATE_PASSWORD`',
      ),
    caFile: text
      .optional()
      .describe(
        'certificate authorities of the server in PEM, relative to the configuration directory; unset: those of Node.js',
      ),
    prefix: text
      .max(64, { error: 'must have at most 64 characters' })
      .default('gateway:')
      .describe('beginning of all names in the server; gateways with the same prefix share state'),
    keyFile: text
      .optional()
      .describe(
        'file with the key that encrypts state in the server, and in a second line the previous key, relative to the configuration directory; environment: `GATEWAY_STATE_KEY`, `GATEWAY_STATE_KEY_PREVIOUS`',
      ),
  },
  MAPPING,
);
