import { describe, expect, it } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { eventually, running, viewOf } from './harness/downstream.ts';
import { stdioFixture } from './harness/servers.ts';

const raw = (
  name: string,
  args: readonly string[] = [],
  spec: Readonly<Record<string, unknown>> = {},
): McpServer => stdioFixture(name, 'raw-stdio.mjs', ['--tools=1', ...args], spec);

const zhub = raw('zhub', [], { toolPrefix: 'git_hub' });
const git = raw('git');

const started = async (...servers: readonly McpServer[]) => {
  const { downstream } = await running(servers, { relist: { debounceMs: 1, minIntervalMs: 1 } });
  const inventoryOf = (server: string) =>
    downstream.inventories().find(({ name }) => name === server);
  return {
    downstream,
    /** Makes a server announce this tool. */
    announce: async (server: string, tool: string): Promise<void> => {
      const tools = [{ name: tool, inputSchema: { type: 'object' } }];
      await downstream.callTool({ server, tool: 'rename', arguments: { tools } });
      const isListed = () => inventoryOf(server)?.tools.some(({ name }) => name === tool) === true;
      await eventually(`${server} lists ${tool}`, isListed);
    },
    untilConnected: (server: string) =>
      eventually(`${server} is connected`, () => inventoryOf(server) !== undefined),
    held: (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        downstream
          .contestedNames()
          .tools.map(({ name, owner }) => [name, `${owner.kind} ${owner.name}`]),
      ),
  };
};

/** The servers `git` and `zhub` after both announced `x_git_hub_create`, `zhub` first. */
const contested = async () => {
  const opened = await started(git, zhub);
  await opened.announce('zhub', 'create');
  expect(opened.held()).toEqual({});
  await opened.announce('git', 'hub_create');
  return opened;
};

const BY_ZHUB = { x_git_hub_create: 'server zhub' };
const BY_GIT = { x_git_hub_create: 'server git' };

describe('a name that a second server announces', () => {
  it('stays with its holder, and the other server shows the conflict', async () => {
    const { downstream, held } = await contested();
    expect(held()).toEqual(BY_ZHUB);
    const view = viewOf(downstream, 'git');
    const conflict = { kind: 'tool', name: 'x_git_hub_create', heldBy: 'server "zhub"' };
    expect(view.nameConflicts).toEqual({ total: 1, first: [conflict] });
    expect(view.status.conditions).toContainEqual({
      type: 'NamesAccepted',
      status: 'False',
      reason: 'NameConflict',
      message: 'Not served: tool x_git_hub_create (held by server "zhub"). Set another toolPrefix.',
      lastTransitionTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(viewOf(downstream, 'git')).toBe(view);
    const holder = viewOf(downstream, 'zhub');
    expect(holder).not.toHaveProperty('nameConflicts');
    expect(holder.status.conditions.map(({ type }) => type)).not.toContain('NamesAccepted');
  });

  it('stays with its holder while that restarts or is stopped', async () => {
    const { downstream, announce, held } = await started(git, zhub);
    await announce('git', 'hub_tool_0');
    for (const change of ['restart', 'stop', 'start'] as const) {
      expect(held()).toEqual({ x_git_hub_tool_0: 'server zhub' });
      await downstream[change]('zhub');
    }
    expect(held()).toEqual({ x_git_hub_tool_0: 'server zhub' });
  });

  it('goes to the other server when the holder is removed', async () => {
    const { downstream, announce, untilConnected, held } = await contested();
    downstream.apply([git]);
    expect(held()).toEqual({});
    downstream.apply([git, zhub]);
    await untilConnected('zhub');
    await announce('zhub', 'create');
    expect(held()).toEqual(BY_GIT);
  });
});

describe('a name that two servers have at the start', () => {
  const [a, b] = [raw('a', ['--delay=300']), raw('b', [], { toolPrefix: 'a' })];

  it('belongs to the first by name, although it connects last', async () => {
    const { downstream, held } = await started(a, b);
    expect(held()).toMatchObject({ x_a_tool_0: 'server a' });
    expect(viewOf(downstream, 'b').nameConflicts?.first[0]?.heldBy).toBe('server "a"');
  });
});
