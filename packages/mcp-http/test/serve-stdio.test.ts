import { PassThrough } from 'node:stream';
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serveStdio } from '../src/index.ts';
import type { ServeStdioOptions } from '../src/transports/serve-stdio.ts';
import { ODD_RESULT, sampleService } from './sample-service.ts';
import { call, ENVELOPE, rpc, until } from './wire-client.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The lines of a stream, ended by a line feed alone: `node:readline` also ends them at U+2028. */
const linesOf = (stream: PassThrough): EventEmitter => {
  const lines = new EventEmitter();
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const dependencies = (rest + chunk).split('\n');
    rest = dependencies.pop() ?? '';
    for (const line of dependencies) lines.emit('line', line);
  });
  return lines;
};

const start = (options: ServeStdioOptions = {}) => {
  const sample = sampleService();
  const input = new PassThrough();
  const output = new PassThrough();
  const serving = serveStdio(sample.service, { ...options, input, output });
  const lines = linesOf(output);
  const tell = (message: object): boolean => input.write(`${JSON.stringify(message)}\n`);
  const next = async (): Promise<Message> => {
    const [line] = (await once(lines, 'line')) as [string];
    return JSON.parse(line) as Message;
  };
  const ask = (message: object): Promise<Message> => {
    const answer = next();
    tell(message);
    return answer;
  };
  const initialize = (): Promise<Message> => {
    const clientInfo = { name: 'c', version: '1' };
    return ask(
      rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'init'),
    );
  };
  return { sample, input, serving, tell, next, ask, initialize };
};

const textOf = ({ result }: Message): unknown => {
  const [item] = result?.['content'] as readonly [{ readonly text: string }];
  return JSON.parse(item.text);
};

describe('serving over standard input and output', () => {
  it('counts null as absent', async () => {
    const { ask, input, initialize, serving } = start();
    await initialize();
    for (const method of ['tools/list', 'ping']) {
      for (const params of [
        null,
        { cursor: null },
        { _meta: null },
        { _meta: { progressToken: null } },
      ])
        expect(await ask(rpc(method, params))).toMatchObject({ result: {} });
    }
    const params = { name: 'odd', arguments: null, _meta: null };
    expect(await ask(rpc('tools/call', params))).toMatchObject({ result: {} });
    input.end();
    await serving.closed;
  });

  it('serves a client of the 2025 revisions', async () => {
    const { ask, initialize, serving, sample } = start();
    expect((await initialize()).result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'sample', version: '1.2.3', title: 'Sample' },
      instructions: 'Use echo.',
    });
    expect((await ask(rpc('tools/list'))).result).toEqual({ tools: sample.service.tools });
    expect(textOf(await ask(call('echo', { a: 1 }, { k: 'v' })))).toEqual({
      args: { a: 1 },
      meta: { k: 'v' },
    });
    await serving.close();
  });

  it('serves a client of 2026-07-28', async () => {
    const { ask, serving } = start();
    const discovered = await ask(rpc('server/discover', { _meta: ENVELOPE }));
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const answer = await ask(rpc('tools/call', { name: 'echo', _meta: ENVELOPE }));
    expect(textOf(answer)).toEqual({});
    await serving.close();
  });

  it('serves requests of both eras on one connection', async () => {
    const { ask, initialize, serving } = start();
    await initialize();
    const modern = await ask(rpc('tools/call', { name: 'echo', _meta: ENVELOPE }));
    expect(modern.result).toMatchObject({ resultType: 'complete' });
    expect((await ask(rpc('ping'))).result).toEqual({});
    await serving.close();
  });

  it('answers a malformed request and a batch with an error', async () => {
    const { ask, serving } = start();
    expect(await ask({ jsonrpc: '1.0', id: 7, method: 'ping' })).toMatchObject({
      id: 7,
      error: { code: -32600 },
    });
    expect((await ask([rpc('ping')])).error).toEqual({
      code: -32600,
      message: 'Send the messages of a batch one by one',
    });
    await serving.close();
  });

  it('passes a result on with everything in it', async () => {
    const { ask, initialize, serving } = start();
    await initialize();
    expect((await ask(call('odd'))).result).toEqual(ODD_RESULT);
    await serving.close();
  });

  it('gives the tool the header that stands in for that of HTTP, and no session', async () => {
    const { ask, initialize, serving } = start({
      header: (name) => (name === 'x-gateway-toolset' ? ['server:a', 'tool:b'] : undefined),
    });
    await initialize();
    expect(textOf(await ask(call('headers')))).toEqual([['server:a', 'tool:b']]);
    expect(textOf(await ask(call('echo')))).toEqual({ args: {} });
    await serving.close();
  });

  it('reports progress only to a caller that asks', async () => {
    const { ask, next, initialize, serving } = start();
    await initialize();
    expect(textOf(await ask(call('progress')))).toBe('unasked');
    const first = await ask(call('progress', {}, { progressToken: 7 }));
    expect(first).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 7, progress: 1, total: 2, message: 'half' },
    });
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: {
        progressToken: 7,
        progress: 2,
        total: 2,
        'x-unit': ['files'],
        _meta: { 'example.org/step': 2 },
      },
    });
    expect(textOf(await next())).toBe('asked');
    await serving.close();
  });

  it('answers unknown tools, unknown methods and errors of the service', async () => {
    const errors: unknown[] = [];
    const { ask, initialize, serving } = start({ onError: (error) => errors.push(error) });
    await initialize();
    expect((await ask(call('nobody'))).error).toEqual({
      code: -32602,
      message: 'Unknown tool: "nobody"',
    });
    expect((await ask(rpc('resources/list'))).error?.code).toBe(-32601);
    expect((await ask(call('throw'))).error).toEqual({ code: -32603, message: 'Internal error' });
    expect((await ask(call('no-object'))).error?.code).toBe(-32603);
    expect((await ask(call('no-json'))).error?.code).toBe(-32603);
    expect(errors).toContainEqual(new Error('secret: /etc/passwd'));
    await serving.close();
  });

  it('cancels a call', async () => {
    const { ask, tell, initialize, serving, sample } = start();
    await initialize();
    tell({ ...call('hang'), id: 'h' });
    await until(() => sample.waiting() === 1);
    tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'h' } });
    await until(() => sample.aborted.length === 1);
    expect((await ask(rpc('ping'))).result).toEqual({});
    await serving.close();
  });

  it('ends when the client closes its side, and cancels running calls', async () => {
    const { tell, next, input, initialize, serving, sample } = start();
    await initialize();
    tell(call('hang'));
    await until(() => sample.waiting() === 1);
    const answer = next();
    input.end();
    expect((await answer).error?.message).toBe('The server is shutting down');
    await serving.closed;
    await until(() => sample.aborted.length === 1);
  });
});
