import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { serveStdio, type McpService } from '../src/index.ts';
import type { ServeStdioOptions } from '../src/transports/serve-stdio.ts';
import { rpc, tell as notification, until } from './wire-client.ts';

/** Serves a service over streams until the test is over, with a client of it. */
export const openStdio = (service: McpService, options: ServeStdioOptions = {}) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const errors: unknown[] = [];
  const onError = (error: unknown): number => errors.push(error);
  const serving = serveStdio(service, { onError, ...options, input, output });
  onTestFinished(() => serving.close());
  // Tests read messages of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const messages: any[] = [];
  const listeners = new Set<(message: unknown) => void>();
  let rest = '';
  // Lines end by a line feed alone: `node:readline` also ends them at U+2028.
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const message of lines.map((line) => JSON.parse(line) as unknown)) {
      messages.push(message);
      for (const listener of listeners) listener(message);
    }
  });
  const tell = (message: object): boolean => input.write(`${JSON.stringify(message)}\n`);
  const atLeast = async (count: number) => {
    await until(() => messages.length >= count);
    return messages;
  };
  /** Sends a request and returns the next message. */
  const ask = async (message: object) => {
    const count = messages.length;
    tell(message);
    return (await atLeast(count + 1))[count];
  };
  /** Starts a connection of 2025-11-25, and forgets the messages of that. */
  const initialize = async (capabilities: object = {}) => {
    const clientInfo = { name: 'c', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const answer = await ask(rpc('initialize', params, 'init'));
    tell(notification('notifications/initialized'));
    messages.length = 0;
    return answer;
  };
  return { serving, input, messages, listeners, errors, tell, atLeast, ask, initialize };
};
