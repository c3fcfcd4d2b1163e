import { z } from 'zod';
import { resources, texts } from './kubernetes.ts';
import { image } from './workload.ts';

/** A Valkey server of the release, for sign-ins and sessions of replicas. */
export const valkey = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        'Whether to run one Valkey server, which `muster.state` then uses. Requires `stateSecret.existingSecret` with a password. While the server restarts, requests that need stored sign-ins or sessions fail; run a server with replicas of its own where that matters, and name it in `muster.state.url`.',
    }),
    image: image('valkey/valkey')
      .unwrap()
      .extend({
        tag: z.string().min(1).default('8.1').meta({ description: 'Tag.' }),
      })
      .prefault({})
      .meta({ description: 'The image of Valkey, or a mirror of it in your registry.' }),
    storageClassName: z
      .string()
      .optional()
      .meta({ description: 'Storage class of its claim. Unset: the default of the cluster.' }),
    size: z.string().default('1Gi').meta({ description: 'Size of its claim.' }),
    maxMemory: z
      .string()
      .regex(/^[1-9][0-9]*(mb|gb)$/u)
      .default('192mb')
      .meta({
        description:
          'Memory for data, below `resources.limits.memory`. At the limit writes are refused.',
      }),
    resources: resources({
      requests: { cpu: '50m', memory: '64Mi' },
      limits: { memory: '256Mi' },
    }),
    podAnnotations: texts('Annotations of its pod.'),
  })
  .prefault({})
  .meta({ description: 'A Valkey server of the release.' });
