import * as z from 'zod/mini';

const text = z.string().check(z.maxLength(2_048));
const texts = z.array(text).check(z.maxLength(1_000));

const optionalTexts = z.exactOptional(texts);

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

/** Returns the metadata, or `undefined` when the value has another form. */
export const parseProtectedResource = (value: unknown): ProtectedResourceMetadata | undefined =>
  protectedResource.safeParse(value).data;

/** Returns the metadata, or `undefined` when the value has another form. */
export const parseAuthorizationServer = (value: unknown): AuthorizationServerMetadata | undefined =>
  authorizationServer.safeParse(value).data;
