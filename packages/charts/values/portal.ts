import { z } from 'zod';
import { globalValues, labelDomain } from './fragments/installation.ts';
import { forwardedList, resources, texts } from './fragments/kubernetes.ts';
import { service, serviceProbes, terminationGracePeriodSeconds } from './fragments/mcp-service.ts';
import { networkEgress } from './fragments/kubernetes.ts';
import { autoscaling, podDisruptionBudget } from './fragments/scaling.ts';
import { clusterDomain, DNS_NAME, HTTP_URL, HTTPS_URL } from './fragments/texts.ts';
import {
  extraValues,
  image,
  namingValues,
  podValues,
  serviceAccount,
} from './fragments/workload.ts';

/** A URL of a Redis server without a password. */
const REDIS_URL = /^rediss?:\/\/([^ /?#:@]+@)?[^ /?#@]+(\/[0-9]{1,4})?$/u;
const SCOPE = /^[!#-[\]-~]+$/u;
const HOST = new RegExp(`^\\*$|${DNS_NAME.source}`, 'u');
const MAX_LISTED = 64;

const secret = (description: string, key: string) =>
  z
    .strictObject({
      existingSecret: z.string().min(1).optional().meta({ description }),
      key: z.string().min(1).default(key).meta({ description: 'Key in the Secret.' }),
    })
    .prefault({});

const text = (description: string) => z.string().min(1).max(1_024).optional().meta({ description });

const signIn = z
  .strictObject({
    issuer: z.string().max(2_048).regex(HTTPS_URL).optional().meta({
      description:
        'OpenID provider, or the gateway with `auth.mode: broker`, where users sign in. Unset: everyone who reaches the portal uses it.',
    }),
    clientId: text(
      'Client of the portal at the issuer, with the redirect URI `<publicUrl>auth/callback`.',
    ),
    clientSecret: secret(
      'Name of a Secret with the secret of the client. Unset: the client is public.',
      'client-secret',
    ).meta({ description: 'The secret of the client, a file in the pods.' }),
    scopes: z
      .array(z.string().min(1).max(256).regex(SCOPE))
      .min(1)
      .max(MAX_LISTED)
      .default(['openid', 'profile', 'email', 'offline_access'])
      .meta({ description: 'Scopes to request.' }),
    resource: text('Resource of the access tokens (RFC 8707). Unset: none.'),
    token: z
      .enum(['access_token', 'id_token'])
      .default('access_token')
      .meta({ description: 'Token that authorizes requests to gateway and agent-manager.' }),
  })
  .prefault({})
  .meta({ description: 'How users sign in.' });

/** Values of the sign-in and of the sessions of the portal. */
const portalSignInValues = {
  publicUrl: z
    .string()
    .max(2_048)
    .regex(HTTP_URL)
    .optional()
    .meta({
      description:
        'URL at which browsers reach the portal; its path is the prefix of all paths. Required with `signIn.issuer`, `ingress` and `httpRoute`.',
      examples: ['https://portal.example.com/'],
    }),
  allowedHosts: z.array(z.string().max(253).regex(HOST)).max(MAX_LISTED).default([]).meta({
    description:
      'Further host names of requests, for proxies that replace the header `Host`. `*` permits every name.',
  }),
  signIn,
  sessionKey: secret(
    'Name of a Secret with a key of at least 32 characters (`openssl rand -base64 48`), which signs the requests of pages and encrypts sessions. Required for more than one replica and with `redis.url`.',
    'session-key',
  ).meta({ description: 'The key that replicas share.' }),
  redis: z
    .strictObject({
      url: z
        .string()
        .max(2_048)
        .regex(REDIS_URL)
        .optional()
        .meta({
          description:
            'Redis or Valkey server with the sessions, without a password. Unset: the memory of the pod.',
          examples: ['rediss://valkey.example.com:6379'],
        }),
      password: secret(
        'Name of a Secret with the password of the server. Unset: none.',
        'password',
      ).meta({ description: 'The password of the server.' }),
    })
    .prefault({})
    .meta({ description: 'The server with the sessions.' }),
};

/** Objects that expose the portal. Host and path come from `publicUrl`. */
const portalExposureValues = {
  ingress: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether to create an Ingress for the host and the path of `publicUrl`.',
      }),
      className: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'Class of the Ingress. Unset: the default of the cluster.' }),
      labels: texts('Further labels of the Ingress.'),
      annotations: texts('Annotations of the Ingress.', {
        'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      }),
      tlsSecret: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'Secret with the certificate. Unset: that of the controller.' }),
    })
    .prefault({})
    .meta({ description: 'The Ingress.' }),
  httpRoute: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether to create an HTTPRoute for the host and the path of `publicUrl`.',
      }),
      labels: texts('Further labels of the HTTPRoute.'),
      annotations: texts('Annotations of the HTTPRoute.'),
      parentRefs: forwardedList('Gateways of the route.', [
        { name: 'public', namespace: 'gateways' },
      ]),
      filters: forwardedList('Filters of the route.'),
    })
    .prefault({})
    .meta({ description: 'The HTTPRoute (`gateway.networking.k8s.io/v1`).' }),
  networkPolicy: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether to create a NetworkPolicy.' }),
      from: forwardedList(
        'Peers with access to the portal, such as the controller of the Ingress or Gateway.',
        [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
      ),
      egress: networkEgress('the addresses of the services'),
    })
    .prefault({})
    .meta({ description: 'The NetworkPolicy of the pods.' }),
};

const url = (description: string) =>
  z.string().max(2_048).regex(HTTP_URL).optional().meta({ description });

const muster = z
  .strictObject({
    url: url(
      'MCP endpoint of the gateway. Unset: the Service `gateway` in the namespace of the release; in the chart `standalone`, the gateway of the release.',
    ),
    metricsUrl: url(
      'Metrics of the gateway, such as `http://gateway:8090/metrics`. Unset: the portal shows no charts.',
    ),
  })
  .prefault({})
  .meta({ description: 'The gateway. `muster` is its key in all charts.' });

const logging = z
  .strictObject({
    format: z.enum(['json', 'text']).default('json').meta({ description: 'Form of the log.' }),
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .meta({ description: 'Lowest level that is logged.' }),
  })
  .prefault({})
  .meta({ description: 'The log.' });

/** Values of the chart `portal`. */
export const portalValues = z.strictObject({
  ...namingValues,
  labelDomain,
  clusterDomain,
  image: image('portal'),
  replicas: z.int().min(0).default(1).meta({
    description:
      'Number of pods. More than one pod requires `sessionKey.existingSecret`, and with `signIn.issuer` also `redis.url`.',
  }),
  muster,
  agentManager: z
    .strictObject({
      url: url(
        'URL of agent-manager, such as `http://agent-manager:8080`. Unset: the portal has no pages of agents.',
      ),
    })
    .prefault({})
    .meta({ description: 'agent-manager.' }),
  ...portalSignInValues,
  logging,
  serviceAccount,
  service,
  resources: resources({
    requests: { cpu: '20m', memory: '96Mi' },
    limits: { memory: '256Mi' },
  }),
  probes: serviceProbes('Checks until the process has started.'),
  terminationGracePeriodSeconds,
  ...podValues,
  ...extraValues,
  autoscaling,
  podDisruptionBudget,
  ...portalExposureValues,
  global: globalValues,
});
