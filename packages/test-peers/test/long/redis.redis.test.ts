import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../src/services.ts';

/** Sends one command and returns the first line of the answer. */
const send = async (port: number, command: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${command}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString().split('\r\n', 1)[0] ?? '';
};

it('starts, stops and starts again on the same port', async () => {
  const redis = await startRedis();
  onTestFinished(redis.close);
  expect(await send(redis.port, 'SET key value')).toBe('+OK');
  await redis.stop();
  await expect(send(redis.port, 'PING')).rejects.toThrow('ECONNREFUSED');
  await redis.start();
  expect(await send(redis.port, 'PING')).toBe('+PONG');
  expect(await send(redis.port, 'GET key')).toBe('$-1');
});
