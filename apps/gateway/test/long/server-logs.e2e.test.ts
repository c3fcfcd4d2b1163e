import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { runCommand } from '../harness/cli.ts';
import { connect } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const startTalking = (...args: readonly string[]) => {
  const directory = testDirectory();
  directory.server('talks', fixture('talking', { env: { TOKEN: 'canary-0815' } }));
  return startGateway(directory.path, { args });
};

it('gateway servers logs shows what a server wrote, without secrets', async () => {
  const { url } = await startTalking();
  const logs = async (...more: readonly string[]): Promise<string> =>
    (await runCommand(['servers', 'logs', 'talks', ...more, '--url', url.href])).stdout;
  await retryAssertion(async () => {
    const lines = (await logs()).split('\n').map((line) => line.replace(/^\S+Z {2}/u, ''));
    expect(lines).toEqual(expect.arrayContaining(['connected with [redacted]', 'got initialize']));
  });
  expect(JSON.parse(await logs('--lines', '1', '--output', 'json'))).toHaveLength(1);
  expect(await logs()).not.toMatch(/canary-0815|\u001B/u);
});

it('the output of servers is for callers that may change the gateway', async () => {
  const { url } = await startTalking('--core-tool-writes', 'none');
  const client = await connect(url);
  const status = await callTool(client, 'core_service_status', { name: 'talks', logLines: 5 });
  expect(status.isError).toBe(true);
  expect(textOf(status)).toBe(
    'Failed to get service status: the output of servers is shown only where core tools may change the gateway, because it may contain arguments of other callers; the operator can permit both with "coreTools.writes: all" in config.yaml',
  );
  expect((await callTool(client, 'core_service_status', { name: 'talks' })).isError).not.toBe(true);
});
