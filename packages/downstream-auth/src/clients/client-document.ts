/** Path of the client ID metadata document of the gateway. */
export const CLIENT_DOCUMENT_PATH = '/.well-known/oauth-client';

/** Name that authorization servers show to persons. */
const CLIENT_NAME = 'MCP gateway';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '[::1]']);

/** Returns true for a URL of this machine. RFC 8252 §7.3 */
const isLoopbackUrl = ({ hostname }: URL): boolean =>
  LOOPBACK.has(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** The metadata that the gateway registers with. RFC 7591 §2 */
export const clientMetadata = (redirectUri: string): Readonly<Record<string, unknown>> => ({
  client_name: CLIENT_NAME,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: isLoopbackUrl(new URL(redirectUri)) ? 'native' : 'web',
});

/** The client ID metadata document of the gateway, which has no secret. */
export const clientDocument = (
  clientId: string,
  redirectUri: string,
): Readonly<Record<string, unknown>> => ({
  client_id: clientId,
  ...clientMetadata(redirectUri),
  token_endpoint_auth_method: 'none',
});
