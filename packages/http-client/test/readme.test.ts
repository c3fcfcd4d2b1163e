import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { postOnce } from '../examples/post-message.ts';
import { portOf, startRaw } from './raw-server.ts';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that is compiled', async () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(await read('README.md')) ?? [];
  expect(shown).toBe(await read('examples/post-message.ts'));
});

it('has an example that posts a message', async () => {
  const { server } = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
  });
  expect(await postOnce(portOf(server))).toBe('200: {}');
});
