import {
  ANONYMOUS,
  type IdTokenSource,
  type Principal,
  createPrincipal,
} from '@gateway/call-contract';
import type { EnabledTokenExchange } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { createExchangeFetch, ExchangeStrategy } from '../../src/exchange/exchange-strategy.ts';
import type { ServerSignInFact } from '../../src/index.ts';
import type { SecretSource, TokenStrategy } from '../../src/ports/credentials.ts';
import { exchangeAt, remoteServer } from '../remote-server.ts';
import { requirement } from '../requirement.ts';
import { idTokenOf, unsignedToken } from '../unsigned-token.ts';
import { closing } from '../serve.ts';
import { EXCHANGE_CLIENT } from '../sso-peers.ts';
import { startTokenEndpoint, type TokenAnswer } from './token-endpoint.ts';

const HOME = 'https://home.example.com';
const ALICE = createPrincipal({ issuer: HOME, subject: 'alice' });
const BOB = createPrincipal({ issuer: HOME, subject: 'bob' });

let counter = 0;
const opaque = (): TokenAnswer => {
  counter += 1;
  return { body: { access_token: `opaque-${counter}`, token_type: 'bearer', expires_in: 3600 } };
};

const returning = (token: string, expiresAt = Date.now() + 3_600_000): IdTokenSource => ({
  idToken: async () => ({ ok: true, token, expiresAt }),
});
const failing = (code: 'signed-out' | 'not-forwardable' | 'unavailable'): IdTokenSource => ({
  idToken: async () => ({ ok: false, code }),
});
const signedIn: IdTokenSource = {
  idToken: (user, required) => returning(idTokenOf(user.subject)).idToken(user, required),
};

const secretsOf = (clientId: string, secret: string): SecretSource => ({
  read: async ({ key }) => ({ ok: true, value: key === 'client-id' ? clientId : secret }),
});
const noSecrets: SecretSource = { read: async () => ({ ok: false, reason: 'there are none' }) };

type Settings = Partial<EnabledTokenExchange>;

/** A token endpoint, and a strategy that uses it unless the test says another URL. */
const start = async (
  answer: Parameters<typeof startTokenEndpoint>[0] = opaque,
  given: { readonly idTokens?: IdTokenSource | undefined; readonly secrets?: SecretSource } = {},
) => {
  const remote = await closing(startTokenEndpoint(answer));
  const facts: ServerSignInFact[] = [];
  let now = Date.now();
  const strategy: TokenStrategy = new ExchangeStrategy({
    fetch: createExchangeFetch(),
    idTokens: signedIn,
    secrets: noSecrets,
    now: () => now,
    observe: (fact) => void facts.push(fact),
    ...given,
  });
  const serverWith = (settings: Settings = {}, requiredAudiences: readonly string[] = []) => {
    const { dexTokenEndpoint = remote.url, ...others } = settings;
    return remoteServer({ tokenExchange: exchangeAt(dexTokenEndpoint, others), requiredAudiences });
  };
  const ask = async (settings?: Settings, audiences?: readonly string[], user = ALICE) =>
    strategy.current(serverWith(settings, audiences), user);
  return {
    remote,
    facts,
    strategy,
    serverWith,
    ask,
    reason: async (settings: Settings = {}): Promise<string> => {
      const outcome = await ask(settings);
      return outcome.ok ? 'it succeeded' : `${outcome.code}: ${outcome.reason}`;
    },
    /** The header for a user. */
    header: async (user: Principal = ALICE): Promise<string> => {
      const outcome = await ask({}, [], user);
      return outcome.ok ? outcome.credential.authorization : outcome.reason;
    },
    pass: (ms: number): void => {
      now += ms;
    },
  };
};

requirement('2.6/auth-exchange', () => {
  it('sends the ID token of the user to the token endpoint of the remote provider', async () => {
    const token = idTokenOf('alice');
    const { remote, ask } = await start(opaque, { idTokens: returning(token) });
    const outcome = await ask();
    const credential = { authorization: `Bearer opaque-${counter}` };
    expect(outcome).toMatchObject({ ok: true, credential });
    const [request, ...others] = remote.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/token' });
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.form).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      connector_id: 'home',
      scope: 'openid profile email groups',
    });
  });

  it('requests the scopes of the settings and one scope for each required audience', async () => {
    const { remote, ask } = await start();
    await ask({ scopes: 'openid groups' }, ['kubernetes', 'registry']);
    expect(remote.requests[0]?.form['scope']).toBe(
      'openid groups audience:server:client_id:kubernetes audience:server:client_id:registry',
    );
  });

  it('sends nothing for an audience that no scope can contain', async () => {
    const { remote, ask } = await start();
    const reason =
      'spec.auth.requiredAudiences contains "two words", which cannot be part of a scope';
    expect(await ask({}, ['two words'])).toEqual({ ok: false, code: 'unavailable', reason });
    expect(remote.requests).toEqual([]);
  });

  it('does not send an expired ID token', async () => {
    const token = idTokenOf('alice', { exp: Math.floor(Date.now() / 1000) - 1 });
    const { remote, reason } = await start(opaque, { idTokens: returning(token) });
    expect(await reason()).toBe(
      'sign-in-again: your ID token has expired; sign in to the gateway again',
    );
    expect(remote.requests).toEqual([]);
  });

  it.each([
    [{ dexTokenEndpoint: 'http://remote.example.com/token' }, 'dexTokenEndpoint'],
    [{ expectedIssuer: 'http://remote.example.com' }, 'expectedIssuer'],
  ])('sends no token over plain HTTP to another machine: %j', async (settings, name) => {
    const { remote, reason } = await start();
    expect(await reason(settings)).toBe(
      `unavailable: spec.auth.tokenExchange.${name} must be an https:// URL`,
    );
    expect(remote.requests).toEqual([]);
  });

  it('follows no redirect of the endpoint', async () => {
    const { remote: other } = await start();
    const { reason } = await start(() => ({
      status: 307,
      body: '',
      headers: { location: other.url },
    }));
    expect(await reason()).toBe(
      'unavailable: the token endpoint cannot be reached: the response is a redirect, which is not followed',
    );
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['signed-out', 'sign-in-required'],
    ['not-forwardable', 'unavailable'],
    ['unavailable', 'unavailable'],
  ] as const)('sends nothing when the ID token is %s', async (code, expected) => {
    const { remote, ask } = await start(opaque, { idTokens: failing(code) });
    expect(await ask()).toMatchObject({ ok: false, code: expected });
    expect(remote.requests).toEqual([]);
  });

  it('is not available where callers do not sign in', async () => {
    const { ask } = await start(opaque, { idTokens: undefined });
    const reason =
      'the server uses the sign-in of callers to the gateway, which is off: set auth.mode';
    expect(await ask({}, [], ANONYMOUS)).toEqual({ ok: false, code: 'unavailable', reason });
  });
});

const DEX = 'https://dex.remote.example.com';
const OTHER = 'https://other.example.com';
const jwtFrom = (iss: unknown): TokenAnswer => ({
  body: {
    access_token: unsignedToken({ iss, exp: Math.floor(Date.now() / 1000) + 600 }),
    token_type: 'Bearer',
    issued_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  },
});

requirement('2.6/auth-exchanged-issuer', () => {
  it.each<[string, Parameters<typeof start>[0], Settings]>([
    ['a token whose iss is expectedIssuer', () => jwtFrom(DEX), { expectedIssuer: DEX }],
    ['the issuer of the endpoint, with a slash', (_request, own) => jwtFrom(`${own}/`), {}],
    ['an opaque token, which names no issuer', opaque, { expectedIssuer: DEX }],
  ])('accepts %s', async (_what, answer, settings) => {
    const { ask } = await start(answer);
    expect(await ask(settings)).toMatchObject({ ok: true });
  });

  it.each([
    ['a token of another issuer', OTHER, OTHER],
    ['a JWT without issuer', undefined, ''],
  ])('refuses %s', async (_what, iss, got) => {
    const { reason } = await start(() => jwtFrom(iss));
    expect(await reason({ expectedIssuer: DEX })).toBe(
      `unavailable: token issuer mismatch: expected "${DEX}", got "${got}". Hint: set spec.auth.tokenExchange.expectedIssuer to the issuer of the exchanged tokens`,
    );
  });
});

const WITH_CLIENT = { clientCredentialsSecretRef: EXCHANGE_CLIENT };

requirement('2.6/auth-exchange-credentials', () => {
  it('encodes the client ID and the secret before they are joined', async () => {
    const { remote, ask } = await start(opaque, { secrets: secretsOf('gate:way', 'a+b%c d/ü') });
    await ask(WITH_CLIENT);
    const basic = Buffer.from('gate%3Away:a%2Bb%25c+d%2F%C3%BC').toString('base64');
    expect(remote.requests[0]?.headers.authorization).toBe(`Basic ${basic}`);
  });

  it('reads both keys of the Secret in its namespace', async () => {
    const read: unknown[] = [];
    const secrets: SecretSource = {
      read: async (reference) => {
        read.push(reference);
        return { ok: true, value: 'x' };
      },
    };
    const { ask } = await start(opaque, { secrets });
    await ask(WITH_CLIENT);
    const secret = { name: 'remote', namespace: 'default' };
    expect(read).toEqual([
      { ...secret, key: 'client-id' },
      { ...secret, key: 'client-secret' },
    ]);
  });

  it('sends nothing when the Secret cannot be read', async () => {
    const { remote, reason } = await start();
    expect(await reason(WITH_CLIENT)).toBe(
      'unavailable: the client credentials of the token exchange cannot be read: there are none',
    );
    expect(remote.requests).toEqual([]);
  });
});

describe('the answer of a token endpoint', () => {
  it('with an error becomes one line without secrets', async () => {
    const secrets = secretsOf('gateway', 'a+b%secret');
    const { reason } = await start(
      ({ form }) => {
        const text = `bad\r\ntoken ${form['subject_token']} of a+b%secret`;
        return { status: 400, body: { error: 'invalid_grant', error_description: text } };
      },
      { secrets },
    );
    expect(await reason(WITH_CLIENT)).toBe(
      'unavailable: the token endpoint answered 400 invalid_grant: bad token [redacted] of [redacted]',
    );
  });

  const bearer = { access_token: 'a', token_type: 'Bearer' };
  const refreshToken = 'urn:ietf:params:oauth:token-type:refresh_token';
  it.each<[unknown, string]>([
    ['<html>', 'it is not a JSON object'],
    [[], 'it is not a JSON object'],
    [{ token_type: 'Bearer' }, 'access_token is not a token'],
    [{ ...bearer, access_token: 'a b' }, 'access_token is not a token'],
    [{ ...bearer, access_token: 'a\r\nX: y' }, 'access_token is not a token'],
    [{ ...bearer, access_token: 'a'.repeat(16_385) }, 'access_token is not a token'],
    [{ ...bearer, token_type: 'DPoP' }, 'token_type is not Bearer'],
    [
      { ...bearer, issued_token_type: refreshToken },
      'issued_token_type is not that of an ID token or access token',
    ],
  ])('%j is refused', async (body, problem) => {
    const { reason } = await start(() => ({ body }));
    expect(await reason()).toBe(
      `unavailable: the response of the token endpoint is not valid: ${problem}`,
    );
  });

  it('of more than 256 KiB is refused', async () => {
    const { reason } = await start(() => ({ body: 'a'.repeat(262_145) }));
    expect(await reason()).toBe(
      'unavailable: the token endpoint cannot be reached: the response is larger than 262144 bytes',
    );
  });
});

describe('exchanged tokens', () => {
  it('are stored until they expire', async () => {
    const { remote, header, pass } = await start();
    const first = await header();
    expect(await header()).toBe(first);
    expect(remote.requests).toHaveLength(1);
    // One hour, and the seconds that the test itself takes: its ID token ends with the exchanged one.
    pass(3_660_000);
    expect(await header()).toMatch(/^your ID token has expired/);
  });

  it('are returned synchronously when they are in memory', async () => {
    const { strategy, serverWith } = await start();
    const server = serverWith();
    expect(strategy.current(server, ALICE)).toBeInstanceOf(Promise);
    await strategy.current(server, ALICE);
    expect(strategy.current(server, ALICE)).toMatchObject({ ok: true });
  });

  it('are replaced in the background 5 minutes before they expire', async () => {
    const { remote, header, pass } = await start();
    const first = await header();
    pass(3_299_000);
    expect(await header()).toBe(first);
    expect(remote.requests).toHaveLength(1);
    pass(2_000);
    expect(await header()).toBe(first);
    await expect.poll(() => header()).not.toBe(first);
    expect(remote.requests).toHaveLength(2);
  });

  it('stay in use when their replacement fails', async () => {
    let isUp = true;
    const { remote, header, pass } = await start(() =>
      isUp ? opaque() : { status: 503, body: '' },
    );
    const first = await header();
    pass(3_400_000);
    isUp = false;
    await header();
    await expect.poll(() => remote.requests.length).toBe(2);
    expect(await header()).toBe(first);
    expect(remote.requests).toHaveLength(2);
  });

  it('are requested once for 100 concurrent calls, and belong to one user', async () => {
    const { remote, header } = await start();
    const headers = await Promise.all(Array.from({ length: 100 }, () => header()));
    expect(new Set(headers).size).toBe(1);
    expect(remote.requests).toHaveLength(1);
    expect(await header(BOB)).not.toBe(headers[0]);
    expect(remote.requests).toHaveLength(2);
  });

  it('are not shared between servers with other connectors or audiences', async () => {
    const { remote, ask } = await start();
    await ask();
    await ask({ connectorId: 'other' });
    await ask({}, ['kubernetes']);
    expect(remote.requests).toHaveLength(3);
    await ask();
    expect(remote.requests).toHaveLength(3);
  });

  it('are not requested again within 5 seconds after a failure', async () => {
    const { remote, header, pass } = await start(() => ({ status: 500, body: {} }));
    const text = 'the token endpoint answered 500';
    expect([await header(), await header()]).toEqual([text, text]);
    expect(remote.requests).toHaveLength(1);
    pass(5_001);
    expect(await header()).toBe(text);
    expect(remote.requests).toHaveLength(2);
  });

  it('are requested at once after the user signed in', async () => {
    let source = failing('signed-out');
    const idTokens: IdTokenSource = { idToken: (...args) => source.idToken(...args) };
    const { header } = await start(opaque, { idTokens });
    expect(await header()).toMatch(/sign in to the gateway again$/);
    source = signedIn;
    expect(await header()).toMatch(/^Bearer /);
  });
});

it('the facts of an exchange report success and failure, without texts of the endpoint and without users who are signed out', async () => {
  const success = await start();
  await success.header();
  expect(success.facts).toMatchObject([{ code: 'exchanged' }]);
  const body = { error: 'chosen', error_description: 'a secret text' };
  const failure = await start(() => ({ status: 400, body }));
  await failure.header();
  const problem = 'the token endpoint answered 400 unknown_error';
  expect(failure.facts).toMatchObject([{ code: 'exchange-failed', problem }]);
  const signedOut = await start(opaque, { idTokens: failing('signed-out') });
  await signedOut.header();
  expect(signedOut.facts).toEqual([]);
});

describe('a server that refuses an exchanged token', () => {
  const refused = async (status: 401 | 403 = 401) => {
    const { remote, strategy, serverWith } = await start();
    const server = serverWith();
    const present = async () => {
      const outcome = await strategy.current(server, ALICE);
      if (!outcome.ok) throw new Error(outcome.reason);
      return outcome.credential;
    };
    const refuse = async (credential: Awaited<ReturnType<typeof present>>) =>
      strategy.renewRejected(server, ALICE, { status, challenge: 'Bearer', credential });
    return { remote, present, refuse };
  };

  it('gets a new token, once for all calls, and no third one', async () => {
    const { remote, present, refuse } = await refused();
    const credential = await present();
    const renewed = await Promise.all(Array.from({ length: 20 }, () => refuse(credential)));
    expect(remote.requests).toHaveLength(2);
    const ids = new Set(renewed.map((each) => each.ok && each.credential.id));
    expect([ids.size, ids.has(credential.id), ids.has(false)]).toEqual([1, false, false]);
    const reason = 'the server refuses the exchanged token';
    expect(await refuse(await present())).toEqual({ ok: false, code: 'unavailable', reason });
    expect(remote.requests).toHaveLength(2);
  });

  it('gets no new token for a missing scope', async () => {
    const { remote, present, refuse } = await refused(403);
    expect(await refuse(await present())).toMatchObject({ ok: false, code: 'unavailable' });
    expect(remote.requests).toHaveLength(1);
  });
});
