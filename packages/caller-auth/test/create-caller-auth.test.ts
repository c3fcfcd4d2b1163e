import { describe, expect, it } from 'vitest';
import { authSchema } from '../src/auth-settings.ts';
import { createCallerAuth } from '../src/create-caller-auth.ts';
import { serve, startIssuer } from './issuer.ts';

const readSecret = (): Promise<string> => Promise.resolve('secret');
const publicUrl = new URL('https://gateway.test');

const create = (settings: object, url = publicUrl) =>
  createCallerAuth(authSchema.parse({ mode: 'resource-server', ...settings }), {
    ...{ publicUrl: url, readSecret },
  });

const METADATA = 'https://gateway.test/.well-known/oauth-protected-resource/mcp';
const ISSUER = { issuer: 'https://issuer.test' };

describe('the challenge of a request', () => {
  it('names the metadata and the scope to read; without a token it has no error', async () => {
    const auth = await create({ issuers: [ISSUER] });
    expect(await auth?.authenticate({ rawHeaders: [], url: '/mcp' })).toEqual({
      ...{ ok: false, status: 401, reason: 'missing' },
      sentence: 'Sign in first: the request carries no access token',
      challenge: `Bearer resource_metadata="${METADATA}", scope="mcp:read"`,
    });
    const rawHeaders = ['Authorization', 'Bearer x'];
    expect(await auth?.authenticate({ rawHeaders, url: '/mcp' })).toMatchObject({
      challenge: `Bearer error="invalid_token", error_description="The access token is invalid or has expired", resource_metadata="${METADATA}", scope="mcp:read"`,
    });
  });

  it('names the scopes of the operation alone', async () => {
    const auth = await create({ issuers: [ISSUER] });
    expect(auth?.scopeChallenge(['mcp:admin'])).toBe(
      `Bearer error="insufficient_scope", error_description="The access token lacks a scope", resource_metadata="${METADATA}", scope="mcp:admin"`,
    );
  });

  it('names no scope that no issuer grants', async () => {
    const auth = await create({ issuers: [{ ...ISSUER, scopes: [] }] });
    expect(await auth?.authenticate({ rawHeaders: [], url: '/mcp' })).toMatchObject({
      challenge: `Bearer resource_metadata="${METADATA}"`,
    });
    expect(auth?.scopes).toEqual([]);
  });
});

describe('the metadata of the resource', () => {
  const serveMetadata = async (settings: object, url?: URL): Promise<string> => {
    const auth = await create(settings, url);
    return serve((request, response) => {
      const route = auth?.routes[request.url ?? ''];
      if (route === undefined) response.writeHead(404).end();
      else route(request, response);
    });
  };

  it('is at the path of the endpoint and at the root, for browsers too, without offline_access', async () => {
    const provider = await startIssuer();
    const url = await serveMetadata({ issuers: [{ issuer: provider.issuer }, ISSUER] });
    for (const path of ['', '/mcp']) {
      const answer = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.json()).toEqual({
        resource: 'https://gateway.test/mcp',
        authorization_servers: [provider.issuer, 'https://issuer.test'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['mcp:read', 'mcp:admin'],
        resource_name: 'MCP gateway',
      });
    }
  });

  it('answers preflights and refuses other methods', async () => {
    const url = `${await serveMetadata({ issuers: [ISSUER] })}/.well-known/oauth-protected-resource`;
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('of a gateway below a path is at that path too', async () => {
    const base = new URL('https://gateway.test/team/');
    const url = await serveMetadata({ issuers: [ISSUER] }, base);
    const path = '/.well-known/oauth-protected-resource/team/mcp';
    const answer = await fetch(`${url}${path}`);
    expect(await answer.json()).toMatchObject({ resource: 'https://gateway.test/team/mcp' });
  });
});

describe('the settings', () => {
  it.each([
    [{ mode: 'resource-server' }, 'must have at least one issuer for mode resource-server'],
    [{ mode: 'broker' }, 'is required for mode broker'],
    [{ issuers: [ISSUER, ISSUER] }, 'must not name an issuer twice'],
    [{ issuers: [{ ...ISSUER, algorithms: ['HS256'] }] }, 'must be one of RS256'],
    [{ issuers: [{ ...ISSUER, algorithms: ['none'] }] }, 'must be one of RS256'],
    [{ issuers: [{ ...ISSUER, requiredClaims: { a: 1 } }] }, 'must be a pattern or a list of'],
    [{ issuers: [{ ...ISSUER, requiredClaims: { a: '' } }] }, 'must not be empty'],
    [{ issuers: [{ issuer: 'issuer' }] }, 'must be a URL with https or http'],
    [{ resource: 'https://gateway.test/mcp?x=1' }, 'must be a URL with https or http'],
  ])('are refused: case %#', (settings, text) => {
    const parsed = authSchema.safeParse(settings);
    expect(parsed.success ? '' : parsed.error.issues[0]?.message).toContain(text);
  });

  it.each([
    ...['[', '[]a]', '[a-]', 'a\\'].map((glob) => [
      glob,
      'is a glob that does not compile: close each `[`, and end with no single `\\`',
    ]),
    ['a'.repeat(257), 'must have at most 256 characters'],
  ])('refuse the glob %j', (glob, text) => {
    for (const a of [glob, ['b', glob]]) {
      const parsed = authSchema.safeParse({ issuers: [{ ...ISSUER, requiredClaims: { a } }] });
      expect(parsed.error?.issues.map(({ message }) => message)).toEqual([text]);
    }
  });

  it('of mode none need nothing', async () => {
    const none = authSchema.parse({});
    expect(await createCallerAuth(none, { publicUrl, readSecret })).toBeUndefined();
  });
});

describe('the clients of mode `broker`', () => {
  it.each(['gateway-cli', 'gateway-browser'])('cannot have the identifier %s', (clientId) => {
    const settings = {
      mode: 'broker',
      broker: {
        upstream: { issuer: 'https://issuer.test', clientId: 'gateway' },
        clients: [{ clientId, redirectUris: ['https://agent.test/callback'] }],
      },
    };
    const { error } = authSchema.safeParse(settings);
    expect(error?.issues).toMatchObject([
      {
        path: ['broker', 'clients', 0, 'clientId'],
        message: 'is the identifier of a client of the gateway itself: choose another one',
      },
    ]);
  });
});
