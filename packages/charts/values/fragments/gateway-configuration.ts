import { z } from 'zod';

/** The gateway's `config.yaml`, key by key. @spec §2.2 */
export const gatewayConfiguration = z
  .looseObject({})
  .default({})
  .meta({
    standsFor: 'configuration',
    description:
      'The gateway’s configuration, `config.yaml`, with the keys of docs/configuration.md. What is not set has the gateway’s own default. A change of `toolsetPresets` is picked up by the running gateway, every other change replaces the pods.',
    examples: [
      {
        toolsetPresets: {
          notes: {
            description: 'The knowledge of the team, without what deletes.',
            include: [{ label: 'gateway.internal/tool-group=notes' }],
            exclude: [{ pattern: '*_delete_*' }],
          },
        },
      },
    ],
  });
