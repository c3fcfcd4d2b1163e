import { z } from 'zod';
import { DNS_NAME, HTTP_URL, HTTPS_URL } from './texts.ts';

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
        'OpenID provider, or the gateway with `auth.mode: broker`, where persons sign in. Unset: everyone who reaches the portal uses it.',
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
  .meta({ description: 'How persons sign in.' });

/** Values of the sign-in and of the sessions of the portal. */
export const portalSignInValues = {
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
