import { z } from 'zod';

const secretKey = (name: string, description: string) =>
  z.string().min(1).default(name).meta({ description });

/** The Secret with the keys and the password of the server that stores sign-ins. */
export const stateSecret = z
  .strictObject({
    existingSecret: z.string().min(1).optional().meta({
      description:
        'Name of a Secret with the key that encrypts sign-ins and tokens in the server of `muster.state` (`openssl rand -base64 32`).',
    }),
    key: secretKey('state-key', 'Key in the Secret.'),
    previousKey: secretKey(
      'previous-state-key',
      'Key in the Secret of the previous state key, which only decrypts. It may be absent.',
    ),
    passwordKey: secretKey(
      'password',
      'Key in the Secret of the password of the server. It may be absent.',
    ),
  })
  .prefault({})
  .meta({ description: 'Secret of the server in `muster.state`, for `store: redis`.' });
