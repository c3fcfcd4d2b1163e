import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serve } from '../serve.ts';
import { ALICE, testGateway } from './test-gateway.ts';

type Body = Readonly<Record<string, unknown>> | string;

/** An answer; its body may use the origin of the peer. */
interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
}

interface Answers {
  readonly resource?: (origin: string) => Answer;
  readonly metadata?: (origin: string) => Answer;
  readonly registration?: Answer;
  readonly token?: Answer;
}

const write = (
  response: ServerResponse,
  { status = 200, type = 'application/json', headers = {}, body = '' }: Answer,
): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
};

const TOKEN = { access_token: 'good', token_type: 'Bearer', expires_in: 3600 };

const metadataAt = (origin: string): Readonly<Record<string, unknown>> => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ['S256'],
});

/** Starts an MCP server that is its own authorization server and signs every browser in at once. */
const startPeer = (answers: Answers): Promise<string> =>
  serve((request, response) => {
    const origin = `http://${request.headers.host ?? ''}`;
    const url = new URL(request.url ?? '', origin);
    const found = {
      '/.well-known/oauth-protected-resource/mcp': () =>
        answers.resource?.(origin) ?? {
          body: { resource: `${origin}/mcp`, authorization_servers: [origin] },
        },
      '/.well-known/oauth-authorization-server': () =>
        answers.metadata?.(origin) ?? { body: metadataAt(origin) },
      '/register': () => answers.registration ?? { status: 201, body: { client_id: 'own' } },
      '/token': () => answers.token ?? { body: TOKEN },
      '/authorize': () => {
        const to = new URL(url.searchParams.get('redirect_uri') ?? '');
        to.searchParams.set('code', 'code');
        to.searchParams.set('state', url.searchParams.get('state') ?? '');
        return { status: 302, headers: { location: to.href } };
      },
      '/mcp': () => {
        const isKnown = request.headers.authorization === 'Bearer good';
        return isKnown ? {} : { status: 401, headers: { 'www-authenticate': 'Bearer' } };
      },
    }[url.pathname];
    request.resume().once('end', () => write(response, found?.() ?? { status: 404 }));
  });

const open = async (answers: Answers) => {
  const origin = await startPeer(answers);
  const gateway = await testGateway();
  return { origin, gateway, tools: gateway.add('tools', `${origin}/mcp`) };
};

/** Signs in and returns the status of a request with the token. */
const signInWith = async (answers: Answers): Promise<number | string> => {
  const { gateway, tools } = await open(answers);
  await gateway.signIn(tools, ALICE);
  return gateway.request(tools, ALICE);
};

/** Returns why a sign-in is not possible. */
const reasonWith = async (answers: Answers): Promise<string> => {
  const { origin, gateway, tools } = await open(answers);
  const outcome = await gateway.auth.login(tools, ALICE);
  const reason =
    outcome.code === 'failed'
      ? outcome.reason
      : outcome.code === 'metadata-missing'
        ? `missing: ${outcome.problem ?? ''}`
        : outcome.code;
  return reason.replaceAll(origin, 'ORIGIN');
};

type Members = Readonly<Record<string, unknown>>;
const resource =
  (members: Members) =>
  (origin: string): Answer => ({
    body: { resource: `${origin}/mcp`, authorization_servers: [origin], ...members },
  });
const metadata =
  (members: Members) =>
  (origin: string): Answer => ({ body: { ...metadataAt(origin), ...members } });
const token = (members: Members, status = 200): Answers => ({
  token: { status, body: { ...TOKEN, ...members } },
});
const registration = (body: Members, status = 201): Answers => ({
  registration: { status, body: { client_id: 'own', ...body } },
});
const NULLS = {
  scopes_supported: null,
  revocation_endpoint: null,
  prompt_values_supported: null,
  client_id_metadata_document_supported: null,
  token_endpoint_auth_methods_supported: ['none', null],
};
const NO_CLIENT_FIELDS = {
  client_secret: null,
  client_secret_expires_at: null,
  token_endpoint_auth_method: null,
  scope: null,
};

it.each<readonly [string, Answers]>([
  ['null in the metadata of the server', { resource: resource({ scopes_supported: null }) }],
  [
    'a text in place of a list',
    { resource: (origin) => ({ body: { resource: origin, authorization_servers: origin } }) },
  ],
  ['null in the metadata of the authorization server', { metadata: metadata(NULLS) }],
  ['an empty endpoint', { metadata: metadata({ revocation_endpoint: '' }) }],
  [
    'metadata as text/plain',
    { metadata: (origin) => ({ type: 'text/plain', body: metadataAt(origin) }) },
  ],
  ['a registration with 200', registration({}, 200)],
  ['null in a registration', registration(NO_CLIENT_FIELDS)],
  [
    'the end of a secret as text',
    registration({ client_secret: 's', client_secret_expires_at: '0' }),
  ],
  ['a token with 201', token({}, 201)],
  [
    'null in a token',
    token({ expires_in: null, refresh_token: null, scope: null, id_token: null, error: null }),
  ],
  ['a lifetime as text', token({ expires_in: '3600' })],
  ['scopes as a list', token({ scope: ['a', 'b'] })],
  ['a token type in capitals', token({ token_type: 'BEARER' })],
  ['no token type', token({ token_type: undefined })],
  ['a token as text/html', { token: { type: 'text/html', body: TOKEN } }],
])('a sign-in succeeds with %s', async (_what, answers) => {
  expect(await signInWith(answers)).toBe(200);
});

describe('a sign-in that is not possible says what is wrong', () => {
  const URL_OF_RESOURCE = 'ORIGIN/.well-known/oauth-protected-resource/mcp';
  const NO_SERVERS = 'its member "authorization_servers" is missing or empty';
  const CANNOT = 'The metadata of the authorization server "ORIGIN" cannot be read: ';
  const AT = '(ORIGIN/.well-known/oauth-authorization-server)';

  it.each<readonly [string, Answers['resource'], string]>([
    ['no document', () => ({ status: 404 }), ''],
    ['a status', () => ({ status: 503 }), `HTTP 503 (${URL_OF_RESOURCE})`],
    [
      'a page',
      () => ({ type: 'text/html', body: '<!DOCTYPE html><p>' }),
      `the answer is an HTML page, not JSON (${URL_OF_RESOURCE})`,
    ],
    [
      'a redirect',
      () => ({ status: 302, headers: { location: '/login' } }),
      `the response is a redirect, which is not followed (${URL_OF_RESOURCE})`,
    ],
    ['no resource', () => ({ body: {} }), `its member "resource" is missing (${URL_OF_RESOURCE})`],
    ['no servers', resource({ authorization_servers: [] }), NO_SERVERS],
    ['null in place of servers', resource({ authorization_servers: null }), NO_SERVERS],
  ])('in the metadata of the server: %s', async (_what, answer, problem) => {
    expect(await reasonWith({ ...(answer && { resource: answer }) })).toBe(`missing: ${problem}`);
  });

  it.each<readonly [string, (origin: string) => Answer, string]>([
    ['no document', () => ({ status: 404 }), `${CANNOT}HTTP 404 ${AT}.`],
    ['a status', () => ({ status: 500 }), `${CANNOT}HTTP 500 ${AT}.`],
    [
      'text',
      () => ({ type: 'text/plain', body: 'x' }),
      `${CANNOT}the answer is not JSON (its content type is text/plain) ${AT}.`,
    ],
    ['no text', () => ({}), `${CANNOT}the answer is empty ${AT}.`],
    ['a list', () => ({ body: '[]' }), `${CANNOT}the answer is JSON, but not an object ${AT}.`],
    [
      'a member',
      metadata({ token_endpoint: 'token' }),
      `${CANNOT}its member "token_endpoint" is not valid ${AT}.`,
    ],
    ['no issuer', metadata({ issuer: null }), `${CANNOT}its member "issuer" is missing ${AT}.`],
    [
      'a slash at the end of the issuer',
      (origin) => metadata({ issuer: `${origin}/` })(origin),
      'The server names the authorization server "ORIGIN", whose metadata reports the issuer "ORIGIN/": the slash at the end differs. Set spec.auth.authorizationServer.issuer to "ORIGIN/", or correct authorization_servers in the metadata of the server.',
    ],
    [
      'no methods of PKCE',
      metadata({ code_challenge_methods_supported: null }),
      'The authorization server "ORIGIN" does not state code_challenge_methods_supported in its metadata; PKCE with S256 is required.',
    ],
    [
      'only plain PKCE',
      metadata({ code_challenge_methods_supported: ['plain'] }),
      'The authorization server "ORIGIN" does not support PKCE with S256, which is required.',
    ],
  ])('in the metadata of the authorization server: %s', async (_what, answer, reason) => {
    expect(await reasonWith({ metadata: answer })).toBe(reason);
  });

  it.each<readonly [string, Answer, string]>([
    [
      'no client',
      { status: 201, body: { client_id: null } },
      'the authorization server sent an answer that cannot be used: the answer has no "client_id"',
    ],
    [
      'an error as text/plain',
      { status: 400, type: 'text/plain', body: { error: 'invalid_redirect_uri' } },
      'the authorization server answered invalid_redirect_uri',
    ],
    ['a status', { status: 403, type: 'text/html' }, 'the authorization server answered HTTP 403'],
    [
      'a page',
      { status: 200, type: 'text/html', body: '<html>' },
      'the authorization server sent an answer that cannot be used: the answer is an HTML page, not JSON',
    ],
  ])('in the registration: %s', async (_what, answer, reason) => {
    expect(await reasonWith({ registration: answer })).toBe(
      `Cannot sign in to server "tools": the registration failed: ${reason}.`,
    );
  });

  it('works with the remedy for a slash at the end of the issuer', async () => {
    const slash = (own: string) => metadata({ issuer: `${own}/` })(own);
    const origin = await startPeer({ metadata: slash });
    const gateway = await testGateway();
    const pinned = { issuer: `${origin}/`, scopes: 'mcp' };
    const tools = gateway.add('tools', `${origin}/mcp`, pinned);
    await gateway.signIn(tools, ALICE);
    expect(await gateway.request(tools, ALICE)).toBe(200);
  });
});

it.each<readonly [string, Answer, string]>([
  ['has no token', { body: { access_token: null } }, 'the answer has no "access_token"'],
  [
    'has a wrong lifetime',
    { body: { ...TOKEN, expires_in: 'soon' } },
    '"expires_in" of the answer is not a number of seconds',
  ],
  ['has a wrong scope', { body: { ...TOKEN, scope: [1] } }, '"scope" of the answer is not text'],
  ['has another type', { body: { ...TOKEN, token_type: 'mac' } }, 'token_type is not Bearer'],
  ['is an error with 200', { body: { error: 'invalid_grant' } }, 'answered invalid_grant'],
  [
    'is an error as text',
    { status: 400, type: 'text/plain', body: { error: 'invalid_grant', error_uri: null } },
    'answered invalid_grant',
  ],
  ['is a status', { status: 502, type: 'text/html', body: '<html>' }, 'answered HTTP 502'],
])('a token answer that cannot be used %s', async (_what, answer, reason) => {
  const { gateway, tools } = await open({ token: answer });
  const page = await gateway.signIn(tools, ALICE);
  expect(page.status).not.toBe(200);
  expect(gateway.lines.join('\n')).toContain(reason);
});
