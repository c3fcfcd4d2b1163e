import { z } from 'zod';
import { brokerSchema } from './broker/settings/broker-settings.ts';
import { issuersSchema } from './resource-server/issuer-settings.ts';

const MAX_ITEMS = 256;
const MAPPING = { error: 'must be a mapping' };

const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });
const texts = z
  .array(text, { error: 'must be a list' })
  .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS.toString()} items` });

/** The ways in which callers sign in to the gateway. */
const AUTH_MODES = ['none', 'resource-server', 'broker'] as const;

const absoluteUrl = text.refine(
  (value) => /^https?:\/\/[^?#]+$/.test(value) && URL.canParse(value),
  { error: 'must be a URL with https or http, without a query' },
);

const serverClients = z
  .array(
    z.strictObject(
      {
        issuer: absoluteUrl.describe('the authorization server, as its metadata names it'),
        clientId: text.describe('the client ID of the gateway there'),
        clientSecretFile: text
          .optional()
          .describe('file with the client secret; unset: a public client'),
      },
      MAPPING,
    ),
    { error: 'must be a list' },
  )
  .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS.toString()} items` })
  .default([])
  .describe(
    'clients that are registered for the gateway at authorization servers of MCP servers; at others the gateway registers itself',
  );

/** The key `auth`: how callers sign in. */
export const authSchema = z
  .strictObject(
    {
      mode: z
        .enum(AUTH_MODES, { error: 'must be none, resource-server or broker' })
        .default('none')
        .describe(
          'how callers sign in: `none`; `resource-server`: with tokens of `issuers`; `broker`: at the gateway, which signs them in at `broker.upstream`',
        ),
      resource: absoluteUrl
        .optional()
        .describe(
          'identifier of the gateway in tokens (RFC 8707); unset: `http.publicUrl` followed by `/mcp`',
        ),
      adminGroups: texts
        .default([])
        .describe(
          'groups whose members may use core tools that write, without the scope `mcp:admin`',
        ),
      allowPrivate: z
        .boolean({ error: 'must be true or false' })
        .default(false)
        .describe(
          'permit private addresses in URLs that metadata names; URLs of this file may always be private',
        ),
      issuers: issuersSchema,
      broker: brokerSchema
        .optional()
        .describe('the gateway as an authorization server; required for mode `broker`'),
      redirects: z
        .array(absoluteUrl, { error: 'must be a list' })
        .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS.toString()} items` })
        .default([])
        .describe('pages to which a sign-in to a server may return, by URL prefix'),
      serverClients,
      clientDocumentUrl: absoluteUrl
        .refine((value) => value.startsWith('https:'), { error: 'must be a URL with https' })
        .optional()
        .describe(
          'URL of a client ID metadata document for sign-ins to servers; unset: the document that the gateway publishes below an `http.publicUrl` with https',
        ),
    },
    MAPPING,
  )
  .superRefine(({ mode, issuers, broker }, context) => {
    const add = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (mode === 'resource-server' && issuers.length === 0)
      add('issuers', 'must have at least one issuer for mode resource-server');
    if (mode === 'broker' && broker === undefined) add('broker', 'is required for mode broker');
    const names = new Set(issuers.map(({ issuer }) => issuer));
    if (names.size < issuers.length) add('issuers', 'must not name an issuer twice');
    if (issuers.filter(({ introspection }) => introspection !== undefined).length > 1)
      add(
        'issuers',
        'must have introspection for one issuer only, because an opaque token does not name its issuer',
      );
  });

/** The settings of `auth`, with defaults applied. */
export type AuthSettings = z.infer<typeof authSchema>;
