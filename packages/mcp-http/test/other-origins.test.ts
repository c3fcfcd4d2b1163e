import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { startHttpEndpoint } from './endpoint.ts';
import { rpc } from './wire-client.ts';

const APP = 'https://app.example';

interface Sent {
  readonly method?: 'OPTIONS' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
}

const answered = async (
  allowedOrigins: readonly string[],
  { method = 'OPTIONS', headers = {} }: Sent = {},
) => {
  const { url } = await startHttpEndpoint({ guard: { allowedOrigins } });
  const body = method === 'POST' ? JSON.stringify(rpc('ping')) : null;
  const accept = 'application/json, text/event-stream';
  const answer = await request(url, {
    ...{ method, body },
    headers: { accept, 'content-type': 'application/json', ...headers },
  });
  await answer.body.dump();
  const cors = Object.entries(answer.headers).filter(([name]) => /^(access-|vary)/.test(name));
  return { status: answer.statusCode, ...Object.fromEntries(cors) };
};

const preflight = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,mcp-session-id',
});

describe('a page of an allowed origin', () => {
  it('gets an answer to its preflight request', async () => {
    expect(await answered([APP], { headers: preflight(APP) })).toEqual({
      status: 204,
      vary: 'Origin',
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,content-type,mcp-session-id',
      'access-control-max-age': '600',
    });
  });

  it('may read answers and the ID of its session', async () => {
    expect(await answered([APP], { method: 'POST', headers: { origin: APP } })).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringContaining('Mcp-Session-Id'),
    });
  });

  it('is every page with *', async () => {
    for (const origin of [APP, 'null']) {
      const answer = await answered(['*'], { headers: preflight(origin) });
      expect(answer).toMatchObject({ status: 204, 'access-control-allow-origin': '*' });
      expect(answer).not.toHaveProperty('vary');
    }
  });

  it('gets no permission through a foreign host', async () => {
    const headers = { ...preflight(APP), host: 'rebound.example' };
    expect(await answered([APP], { headers })).toEqual({ status: 403, vary: 'Origin' });
  });
});

describe('a page of another origin', () => {
  it('gets no permission', async () => {
    const headers = preflight('https://evil.example');
    expect(await answered([APP], { headers })).toEqual({ status: 403, vary: 'Origin' });
    expect(await answered([], { headers })).toEqual({ status: 403 });
  });

  it('gets none on a loopback name that is not listed', async () => {
    const headers = preflight('http://localhost:3000');
    expect(await answered([], { headers })).toEqual({ status: 405 });
    expect(await answered(['http://localhost:3000'], { headers })).toMatchObject({ status: 204 });
  });
});

it('does not take OPTIONS without the headers of a preflight request for one', async () => {
  expect(await answered([APP], { headers: { origin: APP } })).toMatchObject({
    status: 405,
    'access-control-allow-origin': APP,
  });
});
