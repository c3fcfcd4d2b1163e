import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, StartEndpoint } from './endpoint.ts';
import { SDK_CLIENTS, type ConnectSdkClient, type SdkClient } from './sdk-clients.ts';
import { until } from './wire-client.ts';

const TOOLS = [
  'echo',
  'headers',
  'later-headers',
  'odd',
  'progress',
  'hang',
  'throw',
  'throw-now',
  'no-object',
  'no-json',
  'big',
  'kilobyte',
  '__proto__',
];

/** Requirements of every endpoint for the official clients. */
export const endpointSuite = (title: string, start: StartEndpoint): void => {
  describe(title, () => {
    let endpoint: Endpoint;
    beforeAll(async () => {
      endpoint = await start();
    });
    afterAll(() => endpoint.drain(0));

    for (const { title: name, connect, hasSession } of SDK_CLIENTS) {
      describe(`client of ${name}`, () => {
        const withClient = clientRunner(() => endpoint.url, connect);
        describeTools(withClient);
        describeCancellation(withClient, () => endpoint);

        it(hasSession ? 'gets a session and ends it' : 'gets no session', () =>
          withClient(async (client) => {
            expect(client.sessionId() === undefined).toBe(!hasSession);
            await client.endSession();
            expect(endpoint.stats().sessions).toBe(0);
          }),
        );
      });
    }
  });
};

type WithClient = (
  body: (client: SdkClient) => Promise<void>,
  headers?: Readonly<Record<string, string>>,
) => Promise<void>;

const clientRunner =
  (url: () => string, connect: ConnectSdkClient): WithClient =>
  async (body, headers) => {
    const client = await connect(url(), headers);
    try {
      await body(client);
      await client.endSession();
    } finally {
      await client.close();
    }
  };

const describeTools = (withClient: WithClient): void => {
  it('receives the server information and instructions', () =>
    withClient((client) => {
      expect([client.serverName(), client.instructions()]).toEqual(['sample', 'Use echo.']);
      return Promise.resolve();
    }));

  it('lists the tools in the order of the service', () =>
    withClient(async (client) => {
      expect(await client.toolNames()).toEqual(TOOLS);
    }));

  it('passes arguments and _meta to the tool', () =>
    withClient(async (client) => {
      const result = await client.callTool(
        'echo',
        { a: [1, null, { b: 'é' }] },
        { meta: { 'example.org/k': 7 } },
      );
      expect(result).toMatchObject({ content: [{ type: 'text' }] });
      expect(textOf(result)).toMatchObject({
        args: { a: [1, null, { b: 'é' }] },
        meta: { 'example.org/k': 7 },
      });
    }));

  it('passes the headers of the request to the tool', () =>
    withClient(
      async (client) => {
        expect(textOf(await client.callTool('headers'))).toEqual([['server:a, tool:b']]);
      },
      { 'X-Gateway-Toolset': 'server:a, tool:b' },
    ));

  it('reports progress to a caller that asks for it', () =>
    withClient(async (client) => {
      const seen: unknown[] = [];
      const result = await client.callTool('progress', {}, { onProgress: (p) => seen.push(p) });
      expect(textOf(result)).toBe('asked');
      expect(seen).toMatchObject([
        { progress: 1, total: 2, message: 'half' },
        { progress: 2, total: 2 },
      ]);
    }));

  it('reports no progress to a caller that does not ask', () =>
    withClient(async (client) => {
      expect(textOf(await client.callTool('progress'))).toBe('unasked');
    }));

  it('answers an unknown tool with an error of the protocol', () =>
    withClient(async (client) => {
      await expect(client.callTool('constructor')).rejects.toMatchObject({ code: -32602 });
      expect(await client.callTool('__proto__')).toMatchObject({ content: [{ text: '"proto"' }] });
    }));

  it('answers an error of the service without its details', () =>
    withClient(async (client) => {
      for (const name of ['throw', 'throw-now', 'no-object', 'no-json']) {
        await expect(client.callTool(name)).rejects.toMatchObject({
          code: -32603,
          message: expect.stringMatching(/^(MCP error -32603: )?Internal error$/) as string,
        });
      }
    }));
};

const describeCancellation = (withClient: WithClient, endpoint: () => Endpoint): void => {
  it('cancels a running call', () =>
    withClient(async (client) => {
      const { aborted, waiting } = endpoint().sample;
      const before = aborted.length;
      const abort = new AbortController();
      const call = client.callTool('hang', {}, { signal: abort.signal });
      await until(() => waiting() === 1);
      abort.abort();
      await expect(call).rejects.toThrow();
      await until(() => aborted.length === before + 1 && endpoint().stats().inFlight === 0);
      expect(textOf(await client.callTool('echo', { after: true }))).toMatchObject({
        args: { after: true },
      });
    }));
};

const textOf = (result: unknown): unknown => {
  const [item] = (result as { content: readonly { text: string }[] }).content;
  return JSON.parse(item?.text ?? 'null') as unknown;
};
