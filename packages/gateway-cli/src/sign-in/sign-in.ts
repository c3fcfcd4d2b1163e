import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import {
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  deviceAuthorizationRequest,
  deviceCodeGrantRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  processAuthorizationCodeResponse,
  processDeviceAuthorizationResponse,
  processDeviceCodeResponse,
  ResponseBodyError,
  validateAuthResponse,
} from 'oauth4webapi';
import { CommandFailure } from '../failure.ts';
import { REQUEST_OPTIONS, requireSecure } from './discovery.ts';
import type { StoredSignIn } from './sign-in-store.ts';
import { createClientAuth, type ClientOptions, createSignIn, identifyClient } from './tokens.ts';

const createSignInFailure = (): CommandFailure =>
  new CommandFailure('failed', 'the sign-in was not completed');

/** Returns the scopes of the gateway, and those that give a refresh token and the name of the user where the server has them. */
const chooseScopes = (server: AuthorizationServer, scopes: readonly string[]) => {
  const supported = new Set(server.scopes_supported ?? []);
  const more = ['openid', 'offline_access'].filter((scope) => supported.has(scope));
  return {
    scope: [...new Set([...more, ...scopes])].join(' '),
    // OpenID Connect Core, section 11: offline access requires consent.
    asksForConsent: more.includes('offline_access'),
  };
};

const COMMANDS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the browser of the user, without a shell. Failures are ignored: the URL is printed too. */
export const openBrowser = (url: URL): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const [program, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};

const PATH = '/callback';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const renderPage = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;

const RECEIVED = renderPage(
  'Sign-in received',
  'Return to the terminal to see the result. You can close this page.',
);
const UNKNOWN = renderPage(
  'Unknown sign-in',
  'This page does not belong to a sign-in that is in progress.',
);

/** Receives the response of one authorization request on a loopback address (RFC 8252 section 7.3). */
interface CallbackListener {
  readonly redirectUri: string;
  /** Resolves with the URL of the first request that has the state; others are answered and ignored. */
  response(state: string, signal: AbortSignal): Promise<URL>;
  close(): void;
}

const sendPage = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { ...HEADERS, connection: 'close' });
  response.end(text);
};

/** Starts to listen on 127.0.0.1, on any free port. */
const listenForCallback = async (): Promise<CallbackListener> => {
  let accept = (_url: URL): boolean => false;
  let origin = '';
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const isLocal = `http://${request.headers.host ?? ''}` === origin;
    const target = request.url ?? '';
    const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined;
    const isCallback = request.method === 'GET' && isLocal && url?.pathname === PATH;
    if (isCallback && accept(url)) sendPage(response, 200, RECEIVED);
    else sendPage(response, 400, UNKNOWN);
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port.toString()}`;
  return {
    redirectUri: origin + PATH,
    response: (state, signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => reject(createSignInFailure());
        if (signal.aborted) abort();
        signal.addEventListener('abort', abort, { once: true });
        accept = (url) => {
          if (url.searchParams.get('state') !== state) return false;
          accept = () => false;
          resolve(url);
          return true;
        };
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

export interface SignInRequest {
  readonly server: AuthorizationServer;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly client: ClientOptions;
  readonly signal: AbortSignal;
}

/** Signs in with the authorization code flow and PKCE. @param show shows the URL that the user opens */
export const signInWithBrowser = async (
  { server, resource, scopes, client: options, signal }: SignInRequest,
  show: (url: URL) => void,
): Promise<StoredSignIn> => {
  if (server.authorization_endpoint === undefined)
    throw new CommandFailure('failed', `${server.issuer} has no page for sign-ins`);
  const url = requireSecure(new URL(server.authorization_endpoint));
  const listener = await listenForCallback();
  const { redirectUri } = listener;
  try {
    const purpose = { grantType: 'authorization_code', redirectUris: [redirectUri] } as const;
    const client = await identifyClient(server, options, purpose);
    const [verifier, state, nonce] = [
      generateRandomCodeVerifier(),
      generateRandomState(),
      generateRandomNonce(),
    ];
    const { scope, asksForConsent } = chooseScopes(server, scopes);
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource,
      ...(scope !== '' && { scope }),
      ...(scope.split(' ').includes('openid') && { nonce }),
      ...(asksForConsent && { prompt: 'consent' }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const response = listener.response(state, signal);
    show(url);
    const known = { client_id: client.clientId };
    // Checks `iss` (RFC 9207) and `state` before it reads anything else, errors included.
    const answered = validateAuthResponse(server, known, await response, state);
    const answer = await authorizationCodeGrantRequest(
      server,
      known,
      createClientAuth(client),
      answered,
      redirectUri,
      verifier,
      { ...REQUEST_OPTIONS, additionalParameters: { resource } },
    );
    const tokens = await processAuthorizationCodeResponse(server, known, answer, {
      expectedNonce: nonce,
    });
    return createSignIn(server, client, resource, tokens);
  } finally {
    listener.close();
  }
};

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_SECONDS = 5;

/** RFC 8628 section 3.5: milliseconds to add before the next request, or undefined when the answer is final. */
const findDelay = (error: unknown): number | undefined => {
  if (!(error instanceof ResponseBodyError)) return undefined;
  if (error.error === 'authorization_pending') return 0;
  return error.error === 'slow_down' ? INTERVAL_SECONDS * 1000 : undefined;
};

/** Signs in with a code that the user enters on any device (RFC 8628). @param show shows the page and the code */
export const signInWithDevice = async (
  { server, resource, scopes, client: options, signal }: SignInRequest,
  show: (url: URL, code: string) => void,
): Promise<StoredSignIn> => {
  if (server.device_authorization_endpoint === undefined)
    throw new CommandFailure('failed', `${server.issuer} has no device flow: omit --device`);
  const purpose = { grantType: DEVICE_GRANT, redirectUris: [] } as const;
  const client = await identifyClient(server, options, purpose);
  const known = { client_id: client.clientId };
  const auth = createClientAuth(client);
  const { scope } = chooseScopes(server, scopes);
  const parameters = { resource, ...(scope !== '' && { scope }) };
  const start = await deviceAuthorizationRequest(server, known, auth, parameters, {
    ...REQUEST_OPTIONS,
    signal,
  });
  const started = await processDeviceAuthorizationResponse(server, known, start);
  const page = started.verification_uri_complete ?? started.verification_uri;
  show(requireSecure(new URL(page)), started.user_code);
  const endsAt = Date.now() + started.expires_in * 1000;
  let intervalMs = (started.interval ?? INTERVAL_SECONDS) * 1000;
  for (;;) {
    await pause(intervalMs, undefined, { signal }).catch(() => {
      throw createSignInFailure();
    });
    if (Date.now() > endsAt) throw createSignInFailure();
    try {
      const answer = await deviceCodeGrantRequest(server, known, auth, started.device_code, {
        ...REQUEST_OPTIONS,
        signal,
        additionalParameters: { resource },
      });
      const tokens = await processDeviceCodeResponse(server, known, answer);
      return createSignIn(server, client, resource, tokens);
    } catch (error) {
      const delay = findDelay(error);
      if (delay === undefined) throw error;
      intervalMs += delay;
    }
  }
};
