import { z } from 'zod';

const sessionKeyOf = (need: string) =>
  z
    .strictObject({
      existingSecret: z
        .string()
        .min(1)
        .optional()
        .meta({
          description: `Name of a Secret with the key that signs session ids, at least 32 characters (\`openssl rand -base64 48\`). ${need}`,
        }),
      key: z.string().min(1).default('session-key').meta({ description: 'Key in the Secret.' }),
    })
    .prefault({})
    .meta({ description: 'Shared key, with which every replica accepts all sessions.' });

/** The Secret with the shared session key of replicas. */
export const sessionKey = sessionKeyOf('Required for more than one replica.');

/** The same where the state key can replace it. */
export const gatewaySessionKey = sessionKeyOf(
  'Unset: derived from the state key with `muster.state.store: redis`, otherwise a key of the pod.',
);
