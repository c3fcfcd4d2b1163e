import type { IncomingMessage, ServerResponse, RequestListener } from 'node:http';
import { READ_SCOPE } from '../tokens/token-verifier.ts';
import { prefillCode } from './create-provider.ts';
import { MinuteBudget } from './minute-budget.ts';
import { BROKER_PATHS, type CurrentServer, type ServerContext } from './server-context.ts';

/** Longest address of an authorization request, in characters: the request is stored until the person has signed in. */
const MAX_URL_CHARS = 4096;

/**
 * Authorization requests and codes of devices in a minute, at all processes of a store. Each is stored for 10 minutes, and anyone can send them: without a limit they
 * would fill the store, and no person could sign in or refresh a token.
 */
const STARTS_PER_MINUTE = 2_000;

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
    query.set('scope', READ_SCOPE);
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

/** Returns whether a request starts a sign-in, which is then stored. The library serves HEAD as GET. */
const isStart = (request: IncomingMessage): boolean =>
  ['GET', 'HEAD', 'POST'].some((method) => isFor(request, [method, BROKER_PATHS.authorize])) ||
  isFor(request, ['POST', BROKER_PATHS.deviceAuthorization]);

/** The library takes a path with a slash at its end for the path without it, which has limits of its own. */
const hasEmptySegment = ({ url = '' }: IncomingMessage): boolean =>
  url.split('?', 1)[0]?.endsWith('/') === true;

const refuseExcess = (response: ServerResponse): void => {
  response.setHeader('retry-after', '60');
  refuse(response, 429, 'temporarily_unavailable');
};

/** Makes a request one for the public URL, whatever the caller and the proxies say: addresses and cookies follow from it. */
const addressToPublicUrl = (request: IncomingMessage, publicUrl: URL): void => {
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-forwarded-')) Reflect.deleteProperty(request.headers, name);
  request.headers['x-forwarded-proto'] = publicUrl.protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = publicUrl.host;
};

/** Returns whether a request exceeds the limit of those that are stored before a person has signed in. */
const excessCheck = ({
  settings,
  store,
  now,
}: ServerContext): ((request: IncomingMessage) => Promise<boolean>) => {
  const { enabled, perMinute } = settings.registration;
  const registrations = new MinuteBudget({ store, now, name: 'registration', perMinute });
  const starts = new MinuteBudget({ store, now, name: 'start', perMinute: STARTS_PER_MINUTE });
  return async (request) => {
    if (isFor(request, ['POST', BROKER_PATHS.register]))
      return enabled && !(await registrations.take());
    return isStart(request) && !(await starts.take());
  };
};

/** Returns the handler of the endpoints of OAuth and OpenID Connect. */
export const createProtocolHandler = (server: CurrentServer): RequestListener => {
  const { context } = server.latest;
  const { publicUrl, onFailure } = context;
  const isExcess = excessCheck(context);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await isExcess(request)) {
      refuseExcess(response);
      return;
    }
    addressToPublicUrl(request, publicUrl);
    request.url = rewrittenUrl(request);
    const { callback } = await server.present();
    await callback(request, response);
  };
  return (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if ((request.url ?? '').length > MAX_URL_CHARS) {
      refuse(response, 414, 'invalid_request');
      return;
    }
    if (hasEmptySegment(request)) {
      refuse(response, 404, 'invalid_request');
      return;
    }
    handle(request, response).catch((error: unknown) => {
      onFailure(`authorization server: ${error instanceof Error ? error.name : 'failed'}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'server_error');
    });
  };
};
