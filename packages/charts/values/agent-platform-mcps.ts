import { z } from 'zod';
import { apiGroup, globalValues, labelDomain } from './fragments/installation.ts';
import { audience } from './fragments/texts.ts';
import { namingValues } from './fragments/workload.ts';

const TOOL_GROUPS = ['agent-platform', 'infrastructure'];

/*
 * The schema validates keys and types. Templates validate texts, because they can name the entry where a schema only knows its index.
 */
const text = (description: string) => z.string().max(4_096).meta({ description });

const toolGroup = (description: string) =>
  z.string().max(4_096).optional().meta({ description, examples: TOOL_GROUPS });

const credentialsSecret = z.strictObject({
  name: text('Name of the Secret.'),
  namespace: text('Its namespace. Unset: that of the `MCPServer`.').optional(),
  clientIdKey: text('Key of the client ID. Unset: `client-id`.').optional(),
  clientSecretKey: text('Key of the client secret. Unset: `client-secret`.').optional(),
});

const identityProvider = z.strictObject({
  tokenEndpoint: text('Token endpoint of the remote identity provider, `https://…`.'),
  expectedIssuer: text(
    'Issuer of the exchanged token. Unset: derived from the endpoint.',
  ).optional(),
  connectorId: text(
    'Connector that trusts the local identity provider. Required for entries that exchange tokens.',
  ).optional(),
  scopes: text('Scopes of the exchanged token, separated by spaces.').optional(),
  credentialsSecret: credentialsSecret.optional().meta({
    description: 'Secret with client credentials, when the endpoint requires them.',
  }),
});

const auth = z.strictObject({
  mode: z
    .string()
    .max(4_096)
    .optional()
    .meta({
      description: '`none` (default), `oauth`, `forward` or `exchange`.',
      examples: ['none', 'oauth', 'forward', 'exchange'],
    }),
  provider: text(
    'Key of `identityProviders`; required with `exchange`, otherwise not permitted.',
  ).optional(),
  audiences: z.array(audience).max(64).optional().meta({
    description:
      'Audiences of the forwarded token, with `forward` and `exchange`. Unset: `defaults.audiences`.',
  }),
  authorizationServer: z
    .strictObject({
      issuer: text('Issuer: `https://…` without a trailing slash.'),
      scopes: text('OAuth scopes, separated by spaces.').optional(),
      credentialsSecret: credentialsSecret.optional().meta({
        description: 'Secret with the client that is registered for the gateway at the issuer.',
      }),
    })
    .optional()
    .meta({
      description: 'For a server without RFC 9728 metadata; with `oauth` only.',
    }),
});

const keyReference = z.strictObject({
  name: text('Name of the object, in the namespace of the `MCPServer`.'),
  key: text('Key of the value.'),
  optional: z.boolean().optional().meta({
    description: 'Whether the server starts while the value does not exist. Unset: `false`.',
  }),
});

const headerFrom = z.strictObject({
  name: text('Name of the header.'),
  secretKeyRef: keyReference.optional().meta({ description: 'Key of a Secret.' }),
  configMapKeyRef: keyReference.optional().meta({ description: 'Key of a ConfigMap.' }),
});

const entry = z.strictObject({
  cluster: text(
    'Management cluster that the server serves: the label `<apiGroup>/management-cluster`.',
  ),
  group: text('Kind of server. A group of `muster.families` is one family.'),
  url: text('URL of the server.'),
  headersFrom: z
    .array(headerFrom)
    .max(64)
    .optional()
    .meta({
      description:
        'Headers whose values are in Secrets and ConfigMaps; each entry has exactly one of `secretKeyRef` and `configMapKeyRef`.',
      examples: [[{ name: 'X-Api-Key', secretKeyRef: { name: 'wiki', key: 'api-key' } }]],
    }),
  name: text('Name of the `MCPServer`. Unset: `<cluster>-mcp-<group>`.').optional(),
  namespace: text('Namespace of the `MCPServer`. Unset: that of the release.').optional(),
  transport: z
    .string()
    .max(4_096)
    .optional()
    .meta({
      description: '`streamable-http` (default) or `sse`.',
      examples: ['streamable-http', 'sse'],
    }),
  autoStart: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the gateway connects when it starts. Unset: true.' }),
  timeout: z
    .int()
    .optional()
    .meta({ description: 'Connection timeout in seconds, 1 to 300. Unset: that of the gateway.' }),
  toolPrefix: text('Replaces the server name in the names of its tools.').optional(),
  toolGroup: toolGroup(
    'Tool group of the server: the value of its label `<labelDomain>/tool-group`. Unset: the tool group of its family.',
  ),
  auth: auth.optional().meta({ description: 'How the gateway authenticates itself.' }),
});

const family = z.strictObject({
  instanceArg: text('Argument by which callers select the server of the family.'),
  toolGroup: toolGroup('Tool group of all servers of the family. Unset: `infrastructure`.'),
});

const infrastructure = { instanceArg: 'management_cluster', toolGroup: 'infrastructure' };

/** Values of the chart `agent-platform-mcps`. */
export const agentPlatformMcpsValues = z.strictObject({
  ...namingValues,
  apiGroup,
  labelDomain,
  mcpServers: z
    .array(entry)
    .max(1_000)
    .default([])
    .meta({
      description: 'The servers; one `MCPServer` each.',
      examples: [
        [
          {
            cluster: 'alpha',
            group: 'kubernetes',
            url: 'https://mcp-kubernetes.alpha.example.com/mcp',
            auth: { mode: 'forward' },
          },
        ],
      ],
    }),
  identityProviders: z
    .record(z.string(), identityProvider)
    .default({})
    .meta({
      description: 'Remote identity providers, for entries that exchange tokens.',
      examples: [
        {
          beta: {
            tokenEndpoint: 'https://dex.beta.example.com/token',
            connectorId: 'alpha',
            credentialsSecret: { name: 'beta-token-exchange' },
          },
        },
      ],
    }),
  defaults: z
    .strictObject({
      audiences: z.array(audience).max(64).default(['dex-k8s-authenticator']).meta({
        description: 'Default audiences of entries that forward or exchange tokens.',
      }),
    })
    .prefault({})
    .meta({ description: 'Defaults of the entries.' }),
  muster: z
    .strictObject({
      enabled: z.boolean().default(true).meta({ description: 'Whether the servers are rendered.' }),
      families: z
        .record(z.string(), family)
        .default({
          kubernetes: infrastructure,
          prometheus: infrastructure,
          capi: infrastructure,
        })
        .meta({
          description: 'Groups whose servers form a family. `null` removes a group.',
        }),
    })
    .prefault({})
    .meta({
      description:
        'Registration of the servers with the gateway. `muster` is the key of the gateway in all charts.',
    }),
  global: globalValues,
});
