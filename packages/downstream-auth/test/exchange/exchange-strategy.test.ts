import {
  ANONYMOUS,
  type IdTokenSource,
  type Principal,
  createPrincipal,
} from '@gateway/call-contract';
import type { EnabledTokenExchange } from '@gateway/crd-schemas';
import { afterEach, describe, expect, it } from 'vitest';
import { createExchangeFetch, ExchangeStrategy } from '../../src/exchange/exchange-strategy.ts';
import type { ServerSignInFact } from '../../src/index.ts';
import type { SecretSource, TokenStrategy } from '../../src/ports/credentials.ts';
import { exchangeAt, remoteServer } from '../remote-server.ts';
import { requirement } from '../requirement.ts';
import { idTokenOf, unsignedToken } from '../unsigned-token.ts';
import { startTokenEndpoint, type TokenAnswer, type TokenEndpoint } from './token-endpoint.ts';

const ALICE = createPrincipal({ issuer: 'https://home.example.com', subject: 'alice' });
const BOB = createPrincipal({ issuer: 'https://home.example.com', subject: 'bob' });

const opened: TokenEndpoint[] = [];
afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())));

const endpoint = async (
  answer: Parameters<typeof startTokenEndpoint>[0],
): Promise<TokenEndpoint> => {
  const started = await startTokenEndpoint(answer);
  opened.push(started);
  return started;
};

let counter = 0;
const opaque = (): TokenAnswer => {
  counter += 1;
  return { body: { access_token: `opaque-${counter}`, token_type: 'bearer', expires_in: 3600 } };
};

const signedIn: IdTokenSource = {
  idToken: async ({ subject }) => ({
    ok: true,
    token: idTokenOf(subject),
    expiresAt: Date.now() + 3_600_000,
  }),
};

const secretsOf = (clientId: string, secret: string): SecretSource => ({
  read: async ({ key }) => ({ ok: true, value: key === 'client-id' ? clientId : secret }),
});
const noSecrets: SecretSource = { read: async () => ({ ok: false, reason: 'there are none' }) };

interface Given {
  readonly idTokens?: IdTokenSource | undefined;
  readonly secrets?: SecretSource;
  readonly now?: () => number;
}

const facts: ServerSignInFact[] = [];

const strategyOf = (given: Given = {}): TokenStrategy =>
  new ExchangeStrategy({
    fetch: createExchangeFetch(),
    idTokens: signedIn,
    secrets: noSecrets,
    now: Date.now,
    observe: (fact) => void facts.push(fact),
    ...given,
  });

const serverAt = (
  url: string,
  settings: Partial<EnabledTokenExchange> = {},
  requiredAudiences: readonly string[] = [],
) => remoteServer({ tokenExchange: exchangeAt(url, settings), requiredAudiences });

const ask = async (
  { url }: { readonly url: string },
  settings: Partial<EnabledTokenExchange> = {},
  given: Given = {},
) => strategyOf(given).current(serverAt(url, settings), ALICE);

const reasonFor = async (...args: Parameters<typeof ask>): Promise<string> => {
  const outcome = await ask(...args);
  return outcome.ok ? 'it succeeded' : `${outcome.code}: ${outcome.reason}`;
};

requirement('2.6/auth-exchange', () => {
  it('sends the ID token of the user to the token endpoint of the remote provider', async () => {
    const remote = await endpoint(opaque);
    const token = idTokenOf('alice');
    const idTokens: IdTokenSource = {
      idToken: async () => ({ ok: true, token, expiresAt: Date.now() + 60_000 }),
    };
    const outcome = await ask(remote, {}, { idTokens });
    expect(outcome).toMatchObject({
      ok: true,
      credential: { authorization: `Bearer opaque-${counter}` },
    });
    const [request, ...others] = remote.requests;
    expect(others).toEqual([]);
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/token');
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
    const remote = await endpoint(opaque);
    const server = serverAt(remote.url, { scopes: 'openid groups' }, ['kubernetes', 'registry']);
    await strategyOf().current(server, ALICE);
    expect(remote.requests[0]?.form['scope']).toBe(
      'openid groups audience:server:client_id:kubernetes audience:server:client_id:registry',
    );
  });

  it('sends nothing for an audience that no scope can contain', async () => {
    const remote = await endpoint(opaque);
    const server = serverAt(remote.url, {}, ['two words']);
    expect(await strategyOf().current(server, ALICE)).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'spec.auth.requiredAudiences contains "two words", which cannot be part of a scope',
    });
    expect(remote.requests).toEqual([]);
  });

  it('does not send an expired ID token', async () => {
    const remote = await endpoint(opaque);
    const token = idTokenOf('alice', { exp: Math.floor(Date.now() / 1000) - 1 });
    const idTokens: IdTokenSource = {
      idToken: async () => ({ ok: true, token, expiresAt: Date.now() + 60_000 }),
    };
    expect(await reasonFor(remote, {}, { idTokens })).toBe(
      'sign-in-again: your ID token has expired; sign in to the gateway again',
    );
    expect(remote.requests).toEqual([]);
  });

  it('sends no token over plain HTTP to another machine', async () => {
    expect(await reasonFor({ url: 'http://remote.example.com/token' })).toBe(
      'unavailable: spec.auth.tokenExchange.dexTokenEndpoint must be an https:// URL',
    );
    const remote = await endpoint(opaque);
    expect(await reasonFor(remote, { expectedIssuer: 'http://remote.example.com' })).toBe(
      'unavailable: spec.auth.tokenExchange.expectedIssuer must be an https:// URL',
    );
    expect(remote.requests).toEqual([]);
  });

  it('follows no redirect of the endpoint', async () => {
    const other = await endpoint(opaque);
    const remote = await endpoint(() => ({
      status: 307,
      body: '',
      headers: { location: other.url },
    }));
    expect(await reasonFor(remote)).toBe(
      'unavailable: the token endpoint cannot be reached: the response is a redirect, which is not followed',
    );
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['signed-out', 'sign-in-required'],
    ['not-forwardable', 'unavailable'],
    ['unavailable', 'unavailable'],
  ] as const)('sends nothing when the ID token is %s', async (code, expected) => {
    const remote = await endpoint(opaque);
    const idTokens: IdTokenSource = { idToken: async () => ({ ok: false, code }) };
    expect(await ask(remote, {}, { idTokens })).toMatchObject({ ok: false, code: expected });
    expect(remote.requests).toEqual([]);
  });

  it('is not available where callers do not sign in', async () => {
    const remote = await endpoint(opaque);
    const server = serverAt(remote.url);
    expect(await strategyOf({ idTokens: undefined }).current(server, ANONYMOUS)).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'the server uses the sign-in of callers to the gateway, which is off: set auth.mode',
    });
  });
});

const jwtFrom = (iss: unknown): TokenAnswer => ({
  body: {
    access_token: unsignedToken({ iss, exp: Math.floor(Date.now() / 1000) + 600 }),
    token_type: 'Bearer',
    issued_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  },
});

requirement('2.6/auth-exchanged-issuer', () => {
  it('accepts a token whose iss is expectedIssuer', async () => {
    const remote = await endpoint(() => jwtFrom('https://dex.remote.example.com'));
    const settings = { expectedIssuer: 'https://dex.remote.example.com' };
    expect(await ask(remote, settings)).toMatchObject({ ok: true });
  });

  it('derives the issuer from the endpoint, and ignores a slash at the end', async () => {
    const remote = await endpoint((_request, issuer) => jwtFrom(`${issuer}/`));
    expect(await ask(remote)).toMatchObject({ ok: true });
  });

  it('refuses a token of another issuer', async () => {
    const remote = await endpoint(() => jwtFrom('https://other.example.com'));
    const settings = { expectedIssuer: 'https://dex.remote.example.com' };
    expect(await reasonFor(remote, settings)).toBe(
      'unavailable: token issuer mismatch: expected "https://dex.remote.example.com", got "https://other.example.com". Hint: set spec.auth.tokenExchange.expectedIssuer to the issuer of the exchanged tokens',
    );
  });

  it('refuses a JWT without issuer', async () => {
    const remote = await endpoint(() => jwtFrom(undefined));
    expect(await reasonFor(remote)).toContain('got ""');
  });

  it('accepts an opaque token, which names no issuer', async () => {
    const remote = await endpoint(opaque);
    const settings = { expectedIssuer: 'https://dex.remote.example.com' };
    expect(await ask(remote, settings)).toMatchObject({ ok: true });
  });
});

const REF = {
  name: 'remote',
  namespace: 'default',
  clientIdKey: 'client-id',
  clientSecretKey: 'client-secret',
};

requirement('2.6/auth-exchange-credentials', () => {
  it('encodes the client ID and the secret before they are joined', async () => {
    const remote = await endpoint(opaque);
    const secrets = secretsOf('gate:way', 'a+b%c d/ü');
    await ask(remote, { clientCredentialsSecretRef: REF }, { secrets });
    const basic = Buffer.from('gate%3Away:a%2Bb%25c+d%2F%C3%BC').toString('base64');
    expect(remote.requests[0]?.headers.authorization).toBe(`Basic ${basic}`);
  });

  it('reads both keys of the Secret in its namespace', async () => {
    const remote = await endpoint(opaque);
    const read: unknown[] = [];
    const secrets: SecretSource = {
      read: async (reference) => {
        read.push(reference);
        return { ok: true, value: 'x' };
      },
    };
    await ask(remote, { clientCredentialsSecretRef: REF }, { secrets });
    expect(read).toEqual([
      { name: 'remote', namespace: 'default', key: 'client-id' },
      { name: 'remote', namespace: 'default', key: 'client-secret' },
    ]);
  });

  it('sends nothing when the Secret cannot be read', async () => {
    const remote = await endpoint(opaque);
    expect(await reasonFor(remote, { clientCredentialsSecretRef: REF })).toBe(
      'unavailable: the client credentials of the token exchange cannot be read: there are none',
    );
    expect(remote.requests).toEqual([]);
  });
});

describe('the answer of a token endpoint', () => {
  it('with an error becomes one line without secrets', async () => {
    const remote = await endpoint(({ form }) => ({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: `bad\r\ntoken ${form['subject_token']} of a+b%secret`,
      },
    }));
    const secrets = secretsOf('gateway', 'a+b%secret');
    expect(await reasonFor(remote, { clientCredentialsSecretRef: REF }, { secrets })).toBe(
      'unavailable: the token endpoint answered 400 invalid_grant: bad token [redacted] of [redacted]',
    );
  });

  it.each<[unknown, string]>([
    ['<html>', 'it is not a JSON object'],
    [[], 'it is not a JSON object'],
    [{ token_type: 'Bearer' }, 'access_token is not a token'],
    [{ access_token: 'a b', token_type: 'Bearer' }, 'access_token is not a token'],
    [{ access_token: 'a\r\nX: y', token_type: 'Bearer' }, 'access_token is not a token'],
    [{ access_token: 'a'.repeat(16_385), token_type: 'Bearer' }, 'access_token is not a token'],
    [{ access_token: 'a', token_type: 'DPoP' }, 'token_type is not Bearer'],
    [
      {
        access_token: 'a',
        token_type: 'Bearer',
        issued_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
      },
      'issued_token_type is not that of an ID token or access token',
    ],
  ])('%j is refused', async (body, problem) => {
    const remote = await endpoint(() => ({ body }));
    expect(await reasonFor(remote)).toBe(
      `unavailable: the response of the token endpoint is not valid: ${problem}`,
    );
  });

  it('of more than 256 KiB is refused', async () => {
    const remote = await endpoint(() => ({ body: 'a'.repeat(262_145) }));
    expect(await reasonFor(remote)).toBe(
      'unavailable: the token endpoint cannot be reached: the response is larger than 262144 bytes',
    );
  });
});

/** Asks on behalf of a user and returns the header. */
const headerOf = async (
  strategy: TokenStrategy,
  url: string,
  principal: Principal = ALICE,
): Promise<string> => {
  const outcome = await strategy.current(serverAt(url), principal);
  return outcome.ok ? outcome.credential.authorization : outcome.reason;
};

describe('exchanged tokens', () => {
  it('are stored until they expire', async () => {
    let now = Date.now();
    const remote = await endpoint(opaque);
    const strategy = strategyOf({ now: () => now });
    const first = await headerOf(strategy, remote.url);
    expect(await headerOf(strategy, remote.url)).toBe(first);
    expect(remote.requests).toHaveLength(1);
    // One hour, and the seconds that the test itself takes: its ID token ends with the exchanged one.
    now += 3_660_000;
    expect(await headerOf(strategy, remote.url)).toMatch(/^your ID token has expired/);
  });

  it('are returned synchronously when they are in memory', async () => {
    const remote = await endpoint(opaque);
    const strategy = strategyOf();
    const server = serverAt(remote.url);
    expect(strategy.current(server, ALICE)).toBeInstanceOf(Promise);
    await strategy.current(server, ALICE);
    expect(strategy.current(server, ALICE)).toMatchObject({ ok: true });
  });

  it('are replaced in the background 5 minutes before they expire', async () => {
    let now = Date.now();
    const remote = await endpoint(opaque);
    const strategy = strategyOf({ now: () => now });
    const first = await headerOf(strategy, remote.url);
    now += 3_299_000;
    expect(await headerOf(strategy, remote.url)).toBe(first);
    expect(remote.requests).toHaveLength(1);
    now += 2_000;
    expect(await headerOf(strategy, remote.url)).toBe(first);
    await expect.poll(() => headerOf(strategy, remote.url)).not.toBe(first);
    expect(remote.requests).toHaveLength(2);
  });

  it('stay in use when their replacement fails', async () => {
    let now = Date.now();
    let isUp = true;
    const remote = await endpoint(() => (isUp ? opaque() : { status: 503, body: '' }));
    const strategy = strategyOf({ now: () => now });
    const first = await headerOf(strategy, remote.url);
    now += 3_400_000;
    isUp = false;
    await headerOf(strategy, remote.url);
    await expect.poll(() => remote.requests.length).toBe(2);
    expect(await headerOf(strategy, remote.url)).toBe(first);
    expect(remote.requests).toHaveLength(2);
  });

  it('are requested once for 100 concurrent calls', async () => {
    const remote = await endpoint(opaque);
    const strategy = strategyOf();
    const headers = await Promise.all(
      Array.from({ length: 100 }, () => headerOf(strategy, remote.url)),
    );
    expect(new Set(headers).size).toBe(1);
    expect(remote.requests).toHaveLength(1);
  });

  it('belong to one user', async () => {
    const remote = await endpoint(opaque);
    const strategy = strategyOf();
    const [alice, bob] = [
      await headerOf(strategy, remote.url),
      await headerOf(strategy, remote.url, BOB),
    ];
    expect(alice).not.toBe(bob);
    expect(remote.requests).toHaveLength(2);
  });

  it('are not shared between servers with other connectors or audiences', async () => {
    const remote = await endpoint(opaque);
    const strategy = strategyOf();
    const servers = [
      serverAt(remote.url),
      serverAt(remote.url, { connectorId: 'other' }),
      serverAt(remote.url, {}, ['kubernetes']),
    ];
    for (const server of servers) await strategy.current(server, ALICE);
    expect(remote.requests).toHaveLength(3);
    await strategy.current(serverAt(remote.url), ALICE);
    expect(remote.requests).toHaveLength(3);
  });

  it('are not requested again within 5 seconds after a failure', async () => {
    let now = Date.now();
    const remote = await endpoint(() => ({ status: 500, body: {} }));
    const strategy = strategyOf({ now: () => now });
    const text = 'the token endpoint answered 500';
    expect(await headerOf(strategy, remote.url)).toBe(text);
    expect(await headerOf(strategy, remote.url)).toBe(text);
    expect(remote.requests).toHaveLength(1);
    now += 5_001;
    expect(await headerOf(strategy, remote.url)).toBe(text);
    expect(remote.requests).toHaveLength(2);
  });

  it('are requested at once after the user signed in', async () => {
    const remote = await endpoint(opaque);
    let isSignedIn = false;
    const idTokens: IdTokenSource = {
      idToken: async (...args) =>
        isSignedIn ? signedIn.idToken(...args) : { ok: false, code: 'signed-out' },
    };
    const strategy = strategyOf({ idTokens });
    expect(await headerOf(strategy, remote.url)).toMatch(/sign in to the gateway again$/);
    isSignedIn = true;
    expect(await headerOf(strategy, remote.url)).toMatch(/^Bearer /);
  });
});

describe('the facts of an exchange', () => {
  it('report success and failure, without texts of the endpoint and without users who are signed out', async () => {
    facts.length = 0;
    const remote = await endpoint(opaque);
    await headerOf(strategyOf(), remote.url);
    const refusing = await endpoint(() => ({
      status: 400,
      body: { error: 'chosen', error_description: 'a secret text' },
    }));
    await headerOf(strategyOf(), refusing.url);
    const idToken: IdTokenSource['idToken'] = async () => ({ ok: false, code: 'signed-out' });
    await headerOf(strategyOf({ idTokens: { idToken } }), remote.url);
    expect(facts).toMatchObject([
      { code: 'exchanged' },
      { code: 'exchange-failed', problem: 'the token endpoint answered 400 unknown_error' },
    ]);
  });
});

describe('a server that refuses an exchanged token', () => {
  const refusedBy = async (strategy: TokenStrategy, url: string, status: 401 | 403 = 401) => {
    const server = serverAt(url);
    const outcome = await strategy.current(server, ALICE);
    if (!outcome.ok) throw new Error(outcome.reason);
    const { credential } = outcome;
    const refusal = { status, challenge: 'Bearer', credential };
    return { credential, refuse: () => strategy.renewRejected(server, ALICE, refusal) };
  };

  it('gets a new token, once for all calls', async () => {
    const remote = await endpoint(opaque);
    const strategy = strategyOf();
    const { credential, refuse } = await refusedBy(strategy, remote.url);
    const renewed = await Promise.all(Array.from({ length: 20 }, refuse));
    expect(remote.requests).toHaveLength(2);
    expect(new Set(renewed.map((each) => each.ok && each.credential.id)).size).toBe(1);
    expect(renewed[0]?.ok && renewed[0].credential.id).not.toBe(credential.id);
  });

  it('gets no third token', async () => {
    const remote = await endpoint(opaque);
    const strategy = strategyOf();
    const first = await refusedBy(strategy, remote.url);
    await first.refuse();
    const second = await refusedBy(strategy, remote.url);
    expect(await second.refuse()).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'the server refuses the exchanged token',
    });
    expect(remote.requests).toHaveLength(2);
  });

  it('gets no new token for a missing scope', async () => {
    const remote = await endpoint(opaque);
    const { refuse } = await refusedBy(strategyOf(), remote.url, 403);
    expect(await refuse()).toMatchObject({ ok: false, code: 'unavailable' });
    expect(remote.requests).toHaveLength(1);
  });
});
