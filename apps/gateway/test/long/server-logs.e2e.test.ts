import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { afterAll, expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { runCommand } from '../harness/cli.ts';
import { connect } from '../harness/clients.ts';
import { startGateway } from '../harness/gateway.ts';

/** A server that writes to stderr at its start and for each line on its standard input. */
const TALKING = `
process.stderr.write('connected with ' + process.env.TOKEN + '\\n\\u001b[31mred\\u001b[0m\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method } = JSON.parse(text);
  process.stderr.write('got ' + method + '\\n');
  const result = method === 'initialize'
    ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'talks', version: '1' } }
    : { tools: [] };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

const directories: ReturnType<typeof createTestConfigDirectory>[] = [];
afterAll(() => {
  for (const { remove } of directories) remove();
});

const startTalking = async (...args: readonly string[]) => {
  const directory = createTestConfigDirectory();
  directories.push(directory);
  const env = { TOKEN: 'canary-0815' };
  const spec = { type: 'stdio', command: 'node', args: ['-e', TALKING], env, autoStart: true };
  directory.server('talks', spec);
  return startGateway(directory.path, { args });
};

const logs = (url: URL, ...more: readonly string[]) =>
  runCommand(['servers', 'logs', 'talks', ...more, '--url', url.href]);

it('gateway servers logs shows what a server wrote, without secrets', async () => {
  const gateway = await startTalking();
  await retryAssertion(async () => {
    const { stdout } = await logs(gateway.url);
    const lines = stdout.split('\n').map((line) => line.replace(/^\S+Z {2}/u, ''));
    expect(lines).toEqual(expect.arrayContaining(['connected with [redacted]', 'got initialize']));
  });
  const { stdout } = await logs(gateway.url, '--lines', '1', '--output', 'json');
  expect(JSON.parse(stdout)).toHaveLength(1);
  const all = (await logs(gateway.url)).stdout;
  expect(all).not.toContain('canary-0815');
  expect(all).not.toContain('\u001B');
  await gateway.stop();
});

it('the output of servers is for callers that may change the gateway', async () => {
  const gateway = await startTalking('--core-tool-writes', 'none');
  const client = await connect(gateway.url);
  const status = await callTool(client, 'core_service_status', { name: 'talks', logLines: 5 });
  expect(status.isError).toBe(true);
  expect(textOf(status)).toBe(
    'Failed to get service status: the output of servers is shown only where core tools may change the gateway, because it may contain arguments of other callers; the operator can permit both with "coreTools.writes: all" in config.yaml',
  );
  expect((await callTool(client, 'core_service_status', { name: 'talks' })).isError).not.toBe(true);
  await client.close();
  await gateway.stop();
});
