import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BearerAuthenticator } from '../src/bearer-authenticator.ts';
import { RESOURCE, verifying } from './issuer.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Asked {
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Starts an introspection endpoint with one answer. */
const startEndpoint = async (answer: () => { status: number; body: unknown }) => {
  const asked: Asked[] = [];
  const read = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    return body;
  };
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      asked.push({ authorization: request.headers.authorization, body });
      const { status, body: text } = answer();
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof text === 'string' ? text : JSON.stringify(text));
    });
  }).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, issuer, settings: settingsOf(issuer), stop: () => server.close() };
};

const settingsOf = (issuer: string): object => ({
  issuer,
  introspection: {
    endpoint: `${issuer}/introspect`,
    clientId: 'gate way+',
    clientSecretFile: 'a+b%c',
  },
});

const ACTIVE = { active: true, sub: 'ada', aud: RESOURCE, scope: 'mcp:read' };

describe('an opaque token', () => {
  it('is verified by its issuer, with encoded client credentials', async () => {
    const { asked, settings, issuer } = await startEndpoint(() => ({ status: 200, body: ACTIVE }));
    const { verifier } = await verifying(settings);
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
    const { settings } = await startEndpoint(() => ({ status: 200, body }));
    const { verifier } = await verifying(settings);
    expect(await verifier.verify('opaque')).toEqual({ ok: false, code });
  });

  it.each([
    [{ status: 500, body: {} }],
    [{ status: 401, body: {} }],
    [{ status: 200, body: 'no json' }],
    [{ status: 200, body: [] }],
    [{ status: 200, body: 'x'.repeat(300_000) }],
  ])('cannot be verified when the issuer answers otherwise: case %#', async (answer) => {
    const { settings } = await startEndpoint(() => answer);
    const { verifier, failures } = await verifying(settings);
    expect(await verifier.verify('opaque-secret')).toEqual({ ok: false, code: 'unavailable' });
    expect(failures).toHaveLength(1);
    expect(failures.join()).not.toContain('opaque-secret');
  });

  it('is asked about once at a time, and at most every 60 s', async () => {
    const endpoint = await startEndpoint(() => ({ status: 200, body: { ...ACTIVE, exp: 9e9 } }));
    const state = await verifying(endpoint.settings);
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
    expect(endpoint.asked).toHaveLength(1);
    state.now += 59_000;
    expect(authenticate(request)).toMatchObject({ ok: true });
    state.now += 2_000;
    await authenticate(request);
    expect(endpoint.asked).toHaveLength(2);
    state.now += 61_000;
    endpoint.stop();
  });
});
