import { describe, expect, it } from 'vitest';
import { BearerAuthenticator } from '../src/bearer-authenticator.ts';
import { RESOURCE, serve, verifying } from './issuer.ts';

/** Starts an introspection endpoint with one answer. */
const startEndpoint = async (body: unknown, status = 200) => {
  const asked: { readonly authorization: string | undefined; readonly body: string }[] = [];
  const issuer = await serve((request, response) => {
    const { authorization } = request.headers;
    const chunks: string[] = [];
    request.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({ authorization, body: chunks.join('') });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const endpoint = `${issuer}/introspect`;
  const client = { clientId: 'gate way+', clientSecretFile: 'a+b%c' };
  const state = await verifying({ issuer, introspection: { endpoint, ...client } });
  return Object.assign(state, { asked, issuer });
};

const ACTIVE = { active: true, sub: 'ada', aud: RESOURCE, scope: 'mcp:read' };

describe('an opaque token', () => {
  it('is verified by its issuer, with encoded client credentials', async () => {
    const { asked, issuer, verifier } = await startEndpoint(ACTIVE);
    expect(await verifier.verify('opaque~token')).toMatchObject({
      ok: true,
      principal: { subject: 'ada', issuer, scopes: ['mcp:read'] },
    });
    const credentials = Buffer.from('gate+way%2B:secret+of+a%2Bb%25c').toString('base64');
    expect(asked).toEqual([
      {
        authorization: `Basic ${credentials}`,
        body: 'token=opaque%7Etoken&token_type_hint=access_token',
      },
    ]);
  });

  it.each([
    ['inactive', { active: false }, 'inactive'],
    ['active as a text', { ...ACTIVE, active: 'true' }, 'inactive'],
    ['of another issuer', { ...ACTIVE, iss: 'https://other.test' }, 'unknown-issuer'],
    ['for another service', { ...ACTIVE, aud: 'other' }, 'wrong-audience'],
    ['for no service', { ...ACTIVE, aud: undefined }, 'wrong-audience'],
    ['expired', { ...ACTIVE, exp: 1 }, 'expired'],
    ['not valid yet', { ...ACTIVE, nbf: 9e9 }, 'not-yet-valid'],
    ['bound to a key', { ...ACTIVE, cnf: {} }, 'sender-constrained'],
    ['of nobody', { ...ACTIVE, sub: undefined }, 'wrong-claims'],
  ])('that is %s is refused', async (_title, body, code) => {
    const { verifier } = await startEndpoint(body);
    expect(await verifier.verify('opaque')).toEqual({ ok: false, code });
  });

  it.each([
    [500, {}],
    [401, {}],
    [200, 'no json'],
    [200, []],
    [200, 'x'.repeat(300_000)],
  ])('cannot be verified when the issuer answers otherwise: case %#', async (status, body) => {
    const { verifier, failures } = await startEndpoint(body, status);
    expect(await verifier.verify('opaque-secret')).toEqual({ ok: false, code: 'unavailable' });
    expect(failures).toHaveLength(1);
    expect(failures.join()).not.toContain('opaque-secret');
  });

  it('is asked about once at a time, and at most every 60 s', async () => {
    const state = await startEndpoint({ ...ACTIVE, exp: 9e9 });
    const { authenticate } = new BearerAuthenticator({
      verifier: state.verifier,
      challenge: () => 'Bearer',
      now: () => state.now,
    });
    const request = { rawHeaders: ['Authorization', 'Bearer opaque'], url: '/mcp' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => authenticate(request)),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(state.asked).toHaveLength(1);
    state.now += 59_000;
    expect(authenticate(request)).toMatchObject({ ok: true });
    state.now += 2_000;
    await authenticate(request);
    expect(state.asked).toHaveLength(2);
  });
});
