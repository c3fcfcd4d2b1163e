import { z } from 'zod';

/** The Secret with the shared session key of replicas. */
export const sessionKey = z
  .strictObject({
    existingSecret: z.string().min(1).optional().meta({
      description:
        'Name of a Secret with the key that signs session ids, at least 32 characters (`openssl rand -base64 48`). Required for more than one replica.',
    }),
    key: z.string().min(1).default('session-key').meta({ description: 'Key in the Secret.' }),
  })
  .prefault({})
  .meta({ description: 'Shared key, with which every replica accepts all sessions.' });
