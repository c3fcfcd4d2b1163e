import { z } from 'zod';

/** The Secret with which replicas accept the MCP sessions of each other. */
export const sessionKey = z
  .strictObject({
    existingSecret: z.string().min(1).optional().meta({
      description:
        'Name of a Secret with the key that signs session ids, at least 32 characters (`openssl rand -base64 48`). Needed for more than one replica.',
    }),
    key: z
      .string()
      .min(1)
      .default('session-key')
      .meta({ description: 'Key of the Secret that holds it.' }),
  })
  .prefault({})
  .meta({ description: 'What replicas share, so that each accepts the sessions of all.' });
