import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { minuteBudget } from '../clients/client-documents.ts';
import { BROKER_PATHS } from './broker-paths.ts';
import { prefillCode } from './device-forms.ts';
import { DEFAULT_SCOPES } from './gateway-scopes.ts';
import type { ServerContext } from './server-context.ts';

/** Handles a request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Longest address of an authorization request, in characters. */
const MAX_URL_CHARS = 8192;

/** Headers of all answers; pages have a policy of their own. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const refuse = (response: ServerResponse, status: number, error: string): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error }));
};

const isFor = (
  { method, url = '' }: IncomingMessage,
  [wanted, path]: readonly [string, string],
): boolean => method === wanted && url.split('?', 1)[0] === path;

const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;

/** Returns the address that the authorization server sees. */
const rewrittenUrl = (request: IncomingMessage): string => {
  const { url = '/' } = request;
  const query = new URLSearchParams(url.split('?', 2)[1]);
  if (isFor(request, ['GET', BROKER_PATHS.authorize]) && !query.has('scope')) {
    query.set('scope', DEFAULT_SCOPES);
    return withQuery(BROKER_PATHS.authorize, query);
  }
  // With a code in the address, the library would answer with a form that a script sends: the person sends it instead.
  const code = query.get('user_code');
  if (isFor(request, ['GET', BROKER_PATHS.device]) && code !== null) {
    prefillCode(request, code);
    query.delete('user_code');
    return withQuery(BROKER_PATHS.device, query);
  }
  return url;
};

/** Makes a request one for the public URL, whatever the caller and the proxies say: addresses and cookies follow from it. */
const addressToPublicUrl = (request: IncomingMessage, publicUrl: URL): void => {
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-forwarded-')) Reflect.deleteProperty(request.headers, name);
  request.headers['x-forwarded-proto'] = publicUrl.protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = publicUrl.host;
};

/** Returns the handler of the endpoints of OAuth and OpenID Connect. */
export const createProtocolHandler = (
  { settings, publicUrl, now, onFailure }: ServerContext,
  provider: Provider,
): RequestHandler => {
  const handle = provider.callback();
  const mayRegister = minuteBudget(settings.registration.perMinute, now);
  return (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if ((request.url ?? '').length > MAX_URL_CHARS) {
      refuse(response, 414, 'invalid_request');
      return;
    }
    const isRegistration = isFor(request, ['POST', BROKER_PATHS.register]);
    if (isRegistration && settings.registration.enabled && !mayRegister()) {
      response.setHeader('retry-after', '60');
      refuse(response, 429, 'temporarily_unavailable');
      return;
    }
    addressToPublicUrl(request, publicUrl);
    request.url = rewrittenUrl(request);
    handle(request, response).catch((error: unknown) => {
      onFailure(`authorization server: ${error instanceof Error ? error.name : 'failed'}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'server_error');
    });
  };
};
