import { createGuardedFetch } from '@gateway/guarded-fetch';
import { describe, expect, it } from 'vitest';
import { registerClient } from '../../src/clients/identify-client.ts';
import { serve } from '../serve.ts';

const fetch = createGuardedFetch({ allowPrivate: true, maxBytes: 65_536, timeoutMs: 5_000 });

/** Registers at a server that answers with this status and body. */
const registered = async (status: number, body: string) => {
  const origin = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const metadata = { issuer: origin, registration_endpoint: `${origin}/register` };
  return registerClient(metadata, 'http://127.0.0.1/callback', fetch);
};

describe('a registration', () => {
  const SECRET = { client_id: 'own', client_secret: 'text' };

  it('takes a secret without an end as one that does not expire', async () => {
    const facts = { method: 'client_secret_basic', kind: 'registered' };
    const client = { clientId: 'own', clientSecret: 'text', ...facts };
    expect(await registered(201, JSON.stringify(SECRET))).toEqual({ ok: true, client });
  });

  it('keeps the end of a secret', async () => {
    const body = JSON.stringify({ ...SECRET, client_secret_expires_at: 2_000_000_000 });
    const client = { expiresAt: 2_000_000_000_000 };
    expect(await registered(201, body)).toMatchObject({ client });
  });

  it.each([
    [201, '{'],
    [201, '[]'],
    [201, '{"client_secret":"text"}'],
    [400, '{"error":"invalid_redirect_uri"}'],
  ])('with the answer %i %s fails', async (status, body) => {
    expect(await registered(status, body)).toMatchObject({ ok: false });
  });
});
