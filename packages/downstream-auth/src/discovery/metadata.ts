import type { JsonObject } from '@gateway/call-contract';
import * as z from 'zod/mini';

const text = z.string().check(z.maxLength(2_048));

/** Servers in use write one text in place of a list, separated by spaces, and `null` inside lists. */
const optionalTexts = z.exactOptional(
  z.pipe(
    z.transform((value: unknown) => {
      if (typeof value === 'string') return value.split(' ').filter((one) => one !== '');
      return Array.isArray(value) ? value.filter((one) => one !== null) : value;
    }),
    z.array(text).check(z.maxLength(1_000)),
  ),
);

const httpUrl = text.check(
  z.refine((value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password, hash } = new URL(value);
    const isHttp = protocol === 'https:' || protocol === 'http:';
    return isHttp && username === '' && password === '' && hash === '';
  }),
);
const endpoint = z.exactOptional(httpUrl);

const protectedResource = z.object({
  resource: httpUrl,
  authorization_servers: optionalTexts,
  scopes_supported: optionalTexts,
});

/** The metadata of a protected resource, as far as it is used. RFC 9728 §2 */
export type ProtectedResourceMetadata = z.output<typeof protectedResource>;

const authorizationServer = z.object({
  issuer: httpUrl,
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  registration_endpoint: endpoint,
  revocation_endpoint: endpoint,
  scopes_supported: optionalTexts,
  code_challenge_methods_supported: optionalTexts,
  prompt_values_supported: optionalTexts,
  token_endpoint_auth_methods_supported: optionalTexts,
  client_id_metadata_document_supported: z.exactOptional(z.boolean()),
  authorization_response_iss_parameter_supported: z.exactOptional(z.boolean()),
});

/** The metadata of an authorization server, as far as it is used. RFC 8414 §2 */
export type AuthorizationServerMetadata = z.output<typeof authorizationServer>;

/** The metadata, or which member of the document is wrong. */
export type ParsedMetadata<T> =
  { readonly ok: true; readonly metadata: T } | { readonly ok: false; readonly problem: string };

/** Parses a document; members with an empty text count as absent. */
const parseDocument = <T>(schema: z.ZodMiniType<T>, document: JsonObject): ParsedMetadata<T> => {
  const given = Object.entries(document).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return { ok: true, metadata: parsed.data };
  const member = String(parsed.error.issues[0]?.path[0]);
  const isMissing = !given.some(([name]) => name === member);
  return { ok: false, problem: `its member "${member}" is ${isMissing ? 'missing' : 'not valid'}` };
};

/** Parses the metadata of a protected resource. */
export const parseProtectedResource = (
  document: JsonObject,
): ParsedMetadata<ProtectedResourceMetadata> => parseDocument(protectedResource, document);

/** Parses the metadata of an authorization server. */
export const parseAuthorizationServer = (
  document: JsonObject,
): ParsedMetadata<AuthorizationServerMetadata> => parseDocument(authorizationServer, document);
