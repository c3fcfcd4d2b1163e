import { z } from 'zod';
import { DNS_NAME } from './texts.ts';

const KEY = /^[-._a-zA-Z0-9]+$/u;

const files = (kind: 'secret' | 'configMap', title: string) =>
  z
    .array(
      z.strictObject({
        [kind]: z
          .string()
          .min(1)
          .max(253)
          .regex(DNS_NAME)
          .meta({ description: `Name of the ${title}.` }),
        keys: z
          .array(z.string().min(1).max(253).regex(KEY))
          .min(1)
          .meta({ description: `Keys of the ${title}; each is a file.` }),
      }),
    )
    .max(256)
    .default([]);

/** Secrets as files of the configuration. */
export const secretFiles = files('secret', 'Secret').meta({
  description:
    'Existing Secrets whose keys become files `secrets/<secret>/<key>` of the configuration, for `clientSecretFile` and other keys of `muster` that name a file, and for `clientCredentialsSecretRef`, `envFrom` and `headersFrom` of servers. A changed Secret changes the files.',
  examples: [[{ secret: 'provider', keys: ['client-secret'] }]],
});

/** ConfigMaps as files of the configuration. */
export const configMapFiles = files('configMap', 'ConfigMap').meta({
  description:
    'Existing ConfigMaps whose keys become files `configMaps/<configMap>/<key>` of the configuration, for `envFrom` and `headersFrom` of servers in `mcpservers` and `mcpserversFrom`. A changed ConfigMap changes the files.',
  examples: [[{ configMap: 'regions', keys: ['default'] }]],
});
