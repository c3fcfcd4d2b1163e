import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from '../sign-in/gateway-harness.ts';

const TINY = fileURLToPath(
  new URL('../../../downstream/test/fixtures/tiny-mcp.sh', import.meta.url),
);

const tiny = (more: object = {}) => ({ type: 'stdio', command: 'sh', args: [TINY], ...more });

const member = tiny({ family: { name: 'k8s', instanceArg: 'cluster' } });

/** Server processes start slowly on a busy machine. */
const WAIT = { timeout: 60_000 };

const started = async (): Promise<SignInGateway> => {
  const up = await startSignInGateway({ servers: { files: tiny(), west: member, east: member } });
  const described = async (name: string): Promise<string> =>
    (await up.call(undefined, 'describe_tool', { name })).text;
  await expect.poll(() => described('x_files_one'), WAIT).toContain('"server":"files"');
  await expect.poll(() => described('x_k8s_one'), WAIT).toContain('Available: east, west');
  return up;
};

const stop = async ({ callTool }: SignInGateway, name: string): Promise<void> => {
  const { isError, text } = await callTool(undefined, 'core_service_stop', { name });
  if (isError) throw new Error(text);
};

const GONE = 'tool "x_files_one" is not available: server "files" is Stopped';

describe('a gateway with a server that is down', () => {
  it('says so to callers, and describes what the server had', async () => {
    const up = await started();
    const before = await up.call(undefined, 'describe_tool', { name: 'x_files_one' });
    await stop(up, 'files');
    expect((await up.callTool(undefined, 'x_files_one')).text).toBe(GONE);
    expect((await up.callTool(undefined, 'x_files_one', {}, 'server:files')).text).toBe(GONE);
    expect((await up.callTool(undefined, 'x_files_one', {}, 'server:west')).text).toBe(
      'tool "x_files_one" is outside the toolset [server:west]',
    );
    expect((await up.callTool(undefined, 'x_files_two')).text).toBe('Tool not found: x_files_two');
    const { text } = await up.call(undefined, 'describe_tool', { name: 'x_files_one' });
    expect(JSON.parse(text)).toEqual({
      ...(JSON.parse(before.text) as object),
      available: false,
      serverStates: { files: 'Stopped' },
    });
    const listed = await up.call(undefined, 'list_tools');
    expect(listed.text).toContain('x_k8s_one');
    expect(listed.text).not.toContain('x_files_one');
  });

  it('fails the step of a workflow with the server and its state', async () => {
    const up = await started();
    up.directory.workflow('use', {
      description: 'Uses a member.',
      steps: [{ id: 'one', tool: 'x_k8s_one', args: { cluster: 'east' } }],
    });
    const listed = async (): Promise<string> => (await up.call(undefined, 'list_tools')).text;
    await expect.poll(listed, WAIT).toContain('workflow_use');
    await stop(up, 'east');
    expect((await up.callTool(undefined, 'workflow_use')).text).toContain(
      String.raw`tool \"x_k8s_one\" is not available: server \"east\" is Stopped`,
    );
  });
});
