import { z } from 'zod';
import { MAX_SERVER_DESCRIPTION_CHARS } from '@gateway/crd-schemas';
import { audience, DNS_LABEL, HTTP_URL_OR_NONE, labelsOf, MAX_URL_CHARS } from './texts.ts';

/** Registration of a managed service with the gateway. `muster` is the key of the gateway in all charts. */
export const registrationValues = (server: {
  readonly name: string;
  readonly description: string;
}) =>
  z
    .strictObject({
      mcpServer: z
        .strictObject({
          enabled: z
            .boolean()
            .default(false)
            .meta({ description: 'Whether the service is registered with the gateway.' }),
          name: z
            .string()
            .max(63)
            .regex(DNS_LABEL)
            .default(server.name)
            .meta({ description: 'Name of the `MCPServer`; its tools are `x_<name>_<tool>`.' }),
          url: z.string().max(MAX_URL_CHARS).regex(HTTP_URL_OR_NONE).default('').meta({
            description:
              'URL of the service. Empty: the Service in the namespace of the release, `/mcp`.',
          }),
          autoStart: z
            .boolean()
            .default(true)
            .meta({ description: 'Whether the gateway connects when it starts.' }),
          description: z
            .string()
            .max(MAX_SERVER_DESCRIPTION_CHARS)
            .default(server.description)
            .meta({ description: 'Purpose of the service, as the gateway shows it.' }),
          labels: labelsOf(
            'Additional labels of the `MCPServer`. They override default labels such as `<labelDomain>/tool-group`.',
          ),
          auth: z
            .strictObject({
              forwardToken: z.boolean().default(true).meta({
                description:
                  'Whether the gateway forwards the ID token of its user. Rendered only with `oauth.enabled`.',
              }),
              requiredAudiences: z.array(audience).max(64).default([]).meta({
                description:
                  'Additional audiences of the forwarded token. Rendered only with `oauth.enabled`.',
              }),
            })
            .prefault({})
            .meta({ description: 'Authentication of the gateway at the service.' }),
        })
        .prefault({})
        .meta({ description: 'The `MCPServer` that is rendered.' }),
    })
    .prefault({})
    .meta({
      description:
        'Registration with the gateway. `muster` is the key of the gateway in all charts.',
    });

/** True when the service requires tokens; the registration then has `auth`. */
export const oauthValues = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description: 'Whether the service requires tokens. The registration then has `auth`.',
    }),
  })
  .prefault({})
  .meta({ description: 'Authentication at the service.' });
