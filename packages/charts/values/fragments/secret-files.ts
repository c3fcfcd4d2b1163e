import { z } from 'zod';
import { DNS_NAME } from './texts.ts';

const KEY = /^[-._a-zA-Z0-9]+$/u;

/** Secrets as files of the configuration. */
export const secretFiles = z
  .array(
    z.strictObject({
      secret: z
        .string()
        .min(1)
        .max(253)
        .regex(DNS_NAME)
        .meta({ description: 'Name of the Secret.' }),
      keys: z
        .array(z.string().min(1).max(253).regex(KEY))
        .min(1)
        .meta({ description: 'Keys of the Secret; each is a file.' }),
    }),
  )
  .max(256)
  .default([])
  .meta({
    description:
      'Existing Secrets whose keys become files `secrets/<secret>/<key>` of the configuration, for `clientSecretFile` and other keys of `muster` that name a file, and for `clientCredentialsSecretRef` of servers. A changed Secret changes the files.',
    examples: [[{ secret: 'provider', keys: ['client-secret'] }]],
  });
