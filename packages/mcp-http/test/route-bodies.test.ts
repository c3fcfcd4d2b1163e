import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createBodyReader, createMcpHttp, serveHttp, type HttpServing } from '../src/index.ts';
import { sampleService } from './sample-service.ts';
import { rawSocket, until } from './wire-client.ts';

let serving: HttpServing;
const seen: string[] = [];

beforeAll(async () => {
  const read = createBodyReader({ maxBodyBytes: 8, maxBufferedBodyBytes: 12 });
  serving = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    mcp: createMcpHttp(sampleService().service),
    prefixes: {
      '/': (incoming, response) => {
        void read(incoming).then((body) => {
          seen.push(body.kind);
          if (body.kind === 'bytes') response.end(body.bytes);
          else if (body.kind === 'refused') response.writeHead(body.status).end(body.message);
        });
      },
    },
  });
});
afterAll(() => serving.drain(1_000));

const send = async (body: string): Promise<readonly [number, string]> => {
  const answer = await request(serving.url, { method: 'POST', body });
  return [answer.statusCode, await answer.body.text()];
};

describe('a body of a further route', () => {
  it('is read up to its bound', async () => {
    expect(await send('12345678')).toEqual([200, '12345678']);
    const tooLarge = [413, 'The request body is larger than the 8 bytes allowed'];
    expect(await send('123456789')).toEqual(tooLarge);
    expect(await send('x'.repeat(1_000_000))).toEqual(tooLarge);
  });

  it('counts towards the limit of all bodies until its sender disconnects', async () => {
    const slow = await rawSocket(serving);
    slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n1234567');
    await vi.waitFor(async () => {
      expect(await send('123456')).toEqual([
        503,
        'Too many request bodies at once: the limit of 12 bytes is reached; retry later',
      ]);
    }, 60_000);
    slow.destroy();
    await until(() => seen.includes('gone'));
    expect(await send('123456')).toEqual([200, '123456']);
  });
});
