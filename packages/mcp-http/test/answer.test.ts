import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answerJson } from '../src/wire/incoming-exchange.ts';

/** Returns what a client receives, and how often the server wrote one part, or a list of parts, to the socket. */
const answered = async (answer: (response: ServerResponse) => void) => {
  const parts = { one: 0, list: 0 };
  const server = createServer((_request, response) => {
    const { socket } = response;
    if (socket === null) throw new Error('no socket');
    const write = socket._write.bind(socket);
    vi.spyOn(socket, '_write').mockImplementation((...written) => {
      parts.one += 1;
      write(...written);
    });
    const writeList = socket._writev?.bind(socket);
    socket._writev = (...written) => {
      parts.list += 1;
      writeList?.(...written);
    };
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const [response] = await once(request({ port, agent: false }).end(), 'response');
  const chunks: Buffer[] = await response.toArray();
  return {
    parts,
    length: response.headers['content-length'],
    body: Buffer.concat(chunks).toString(),
  };
};

it.each([
  ['ASCII', '{"a":"b"}', '9'],
  ['other characters', '{"ä":"😀"}', '13'],
  ['two megabytes', `"${'x'.repeat(2_000_000)}"`, '2000002'],
])('writes header and body of an answer of %s in one part', async (_what, body, length) => {
  expect(await answered((response) => answerJson(response, 200, body))).toEqual({
    parts: { one: 1, list: 0 },
    length,
    body,
  });
});

it('writes bytes as they are', async () => {
  const body = [Buffer.from('{"ä":'), Buffer.from('1}')];
  const found = await answered((response) => answerJson(response, 200, body));
  expect(found).toMatchObject({ length: '8', body: '{"ä":1}' });
});
