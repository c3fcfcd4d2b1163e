import { expect, it, onTestFinished } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { httpMcpServer, type HttpMcpServer } from '../harness/http-mcp-server.ts';
import { startReplicas } from '../harness/replicas.ts';

const CALLERS = 4;

/** The number of times that a client has connected. */
const connections = ({ requests }: HttpMcpServer): number =>
  requests.filter(({ method }) => method === 'initialize').length;

const gauge = async (url: URL): Promise<string | undefined> =>
  /^gateway_server_connections\{server="shared"\} (\d+)$/m.exec(
    await (await fetch(new URL('/metrics', url))).text(),
  )?.[1];

const call = async (url: URL): Promise<string> => {
  const client = await connect(url);
  const texts = await Promise.all(
    Array.from({ length: 5 }, async () => textOf(await callTool(client, 'x_shared_hello'))),
  );
  await client.close();
  return texts.join(' ');
};

it('a server has one shared connection of each replica, however many clients call it', async () => {
  const server = await httpMcpServer();
  onTestFinished(() => server.stop());
  const { replicas } = await startReplicas(3, {
    fill: (directory) => {
      const spec = { type: 'streamable-http', url: server.url, autoStart: true };
      directory.write(
        'mcpservers/shared.yaml',
        JSON.stringify({
          apiVersion: 'gateway.internal/v1alpha1',
          kind: 'MCPServer',
          metadata: { name: 'shared' },
          spec,
        }),
      );
    },
  });
  const urls = replicas.map(({ url }) => url);
  for (const url of urls) await expect.poll(() => gauge(url), { timeout: 60_000 }).toBe('1');
  const callers = urls.flatMap((url) => Array.from({ length: CALLERS }, () => call(url)));
  expect(new Set(await Promise.all(callers))).toEqual(new Set([Array(5).fill('hello').join(' ')]));
  expect(connections(server)).toBe(3);
  await server.stop();
  await Promise.all(urls.map(async (url) => call(url).catch(() => undefined)));
  for (const url of urls) await expect.poll(() => gauge(url), { timeout: 60_000 }).toBe('0');
});
