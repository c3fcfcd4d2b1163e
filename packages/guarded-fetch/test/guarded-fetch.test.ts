import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedFetch, GuardedFetchError } from '../src/index.ts';
import type { GuardedFetchOptions } from '../src/guarded-fetch.ts';

const serve = async (listener: RequestListener) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, requests };
};

const guarded = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({ allowPrivate: true, maxBytes: 1_000, timeoutMs: 10_000, ...options });

/** Returns the failure of a request as `code: message`. */
const failure = async (request: Promise<Response>): Promise<string> => {
  const error: unknown = await request.catch((reason: unknown) => reason);
  if (!(error instanceof GuardedFetchError)) throw new Error('it did not fail as expected');
  return `${error.code}: ${error.message}`;
};

const to = (address: string) => () => Promise.resolve([{ address, family: 4 }]);

describe('a guarded request', () => {
  it('returns status, headers and body', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"a":1}');
    });
    const response = await guarded()(`${origin}/path`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toEqual({ a: 1 });
  });

  it('sends a form', async () => {
    const { origin } = await serve((request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        response.end(`${request.headers['content-type']} ${Buffer.concat(chunks).toString()}`);
      });
    });
    const body = new URLSearchParams({ code: 'a+b' });
    const response = await guarded()(origin, { method: 'POST', body });
    expect(await response.text()).toBe(
      'application/x-www-form-urlencoded;charset=UTF-8 code=a%2Bb',
    );
  });

  it('connects to the address that was checked, with the name of the host', async () => {
    const { port, requests } = await serve((_request, response) => response.end());
    let lookups = 0;
    const resolve = () => {
      lookups += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    await guarded({ resolve })(`http://name.example:${port}/`);
    expect(lookups).toBe(1);
    expect(requests[0]?.headers.host).toBe(`name.example:${port}`);
  });

  it('is not repeated at the target of a redirect', async () => {
    const { origin, requests } = await serve((_request, response) => {
      response.writeHead(302, { location: '/other' }).end();
    });
    expect(await failure(guarded()(origin))).toBe(
      'redirect: the response is a redirect, which is not followed',
    );
    expect(requests).toHaveLength(1);
  });

  it('ends with a failure when the body is larger than the limit', async () => {
    const { origin } = await serve((_request, response) => response.end('x'.repeat(1_001)));
    expect(await failure(guarded()(origin))).toBe(
      'too-large: the response is larger than 1000 bytes',
    );
    const fits = await serve((_request, response) => response.end('x'.repeat(1_000)));
    expect((await (await guarded()(fits.origin)).text()).length).toBe(1_000);
  });

  it('ends with a failure when the body is not complete in time', async () => {
    const { origin } = await serve((_request, response) => response.write('x'));
    expect(await failure(guarded({ timeoutMs: 100 })(origin))).toBe(
      'timeout: no response within 100 ms',
    );
  });

  it('returns when the headers arrive, where only they are of interest', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'x-answer': '1' }).write('x');
    });
    const response = await guarded({ headersOnly: true })(origin);
    expect(response.headers.get('x-answer')).toBe('1');
    expect(await response.text()).toBe('');
  });

  it('ends with a failure when the resolver does not answer in time', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(
      await failure(guarded({ timeoutMs: 50, resolve })('https://never.example/?secret=1')),
    ).toBe('timeout: no response within 50 ms');
  });

  it('ends when the caller aborts it', async () => {
    const { origin } = await serve(() => undefined);
    const aborted = AbortSignal.abort();
    expect(await failure(guarded()(origin, { signal: aborted }))).toBe('aborted: it was aborted');
  });

  it('names the failure of a connection without text of the peer', async () => {
    const { origin } = await serve((request) => request.socket.destroy());
    expect(await failure(guarded()(`${origin}/?secret=1`))).toBe(
      'unreachable: the connection failed (UND_ERR_SOCKET)',
    );
  });
});

describe('a URL that is not allowed', () => {
  it.each([
    ['http://127.0.0.1:1/', '127.0.0.1 has a loopback address, which is not allowed here'],
    ['https://10.0.0.1/', '10.0.0.1 has a private address, which is not allowed here'],
    ['https://[fd00::1]/', 'fd00::1 has a private address, which is not allowed here'],
    ['https://2130706433/', '127.0.0.1 has a loopback address, which is not allowed here'],
    ['https://169.254.169.254/', '169.254.169.254 has a metadata address, which is never asked'],
    ['http://8.8.8.8/', 'http may be used for loopback addresses only; use https'],
    ['https://user:pass@8.8.8.8/', 'the URL must not hold credentials; send them as headers'],
    ['ftp://8.8.8.8/', 'the URL must begin with http:// or https://'],
    ['nothing', 'the URL is not valid'],
    [`https://${'a'.repeat(256)}.example/`, 'the host of the URL is too long'],
  ])('is refused: %s', async (url, message) => {
    expect(await failure(guarded({ allowPrivate: false })(url))).toBe(`refused: ${message}`);
  });

  it('is refused when any address of its host is not allowed', async () => {
    const resolve = () =>
      Promise.resolve([
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    const request = guarded({ allowPrivate: false, resolve })('https://mixed.example/');
    expect(await failure(request)).toBe(
      'refused: mixed.example has a private address, which is not allowed here',
    );
  });

  it('is refused for a metadata address also when private addresses are allowed', async () => {
    const request = guarded({ resolve: to('169.254.169.254') })('https://meta.example/');
    expect(await failure(request)).toBe(
      'refused: meta.example has a metadata address, which is never asked',
    );
  });

  it('is refused for http to a private address that is not of this machine', async () => {
    expect(await failure(guarded({ resolve: to('10.0.0.1') })('http://inside.example/'))).toBe(
      'refused: http may be used for loopback addresses only; use https',
    );
  });

  it.each([
    ['http://8.8.8.8/', /^refused: http may be used/],
    ['http://169.254.169.254/', /^refused: .* a metadata address/],
  ])('is refused also when plain http to private addresses is allowed: %s', async (url, text) => {
    expect(await failure(guarded({ allowPlain: () => true })(url))).toMatch(text);
  });

  it('is decided for each URL when a function decides', async () => {
    const { origin } = await serve((_request, response) => response.end('ok'));
    const fetch = guarded({ allowPrivate: (url) => url.pathname === '/allowed' });
    expect(await (await fetch(`${origin}/allowed`)).text()).toBe('ok');
    expect(await failure(fetch(`${origin}/other`))).toBe(
      'refused: 127.0.0.1 has a loopback address, which is not allowed here',
    );
  });
});
