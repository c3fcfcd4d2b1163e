import { describe, expect, it } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import type { Downstream } from '../src/index.ts';
import { eventually, testDownstream, viewOf } from './harness/downstream.ts';
import { stdioFixture } from './harness/servers.ts';

const raw = (
  name: string,
  args: readonly string[] = [],
  spec: Readonly<Record<string, unknown>> = {},
): McpServer => stdioFixture(name, 'raw-stdio.mjs', ['--tools=1', ...args], spec);

const zhub = raw('zhub', [], { toolPrefix: 'git_hub' });
const git = raw('git');

const started = async (...servers: readonly McpServer[]): Promise<Downstream> => {
  const { downstream } = testDownstream({ relist: { debounceMs: 1, minIntervalMs: 1 } });
  downstream.apply(servers);
  await downstream.settled();
  return downstream;
};

const isConnected = (downstream: Downstream, name: string): boolean =>
  downstream.inventories().some((one) => one.name === name);

/** Makes a server announce these tools. */
const announce = async (downstream: Downstream, server: string, tools: readonly string[]) => {
  const entries = tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
  await downstream.callTool({ server, tool: 'rename', arguments: { tools: entries } });
  const names = (): readonly string[] =>
    downstream
      .inventories()
      .filter((one) => one.name === server)
      .flatMap((one) => one.tools.map(({ name }) => name));
  await eventually(`${server} lists ${tools.join()}`, () =>
    tools.every((one) => names().includes(one)),
  );
};

const heldBy = (downstream: Downstream): Readonly<Record<string, string>> =>
  Object.fromEntries(
    downstream
      .contestedNames()
      .tools.map(({ name, owner }) => [name, `${owner.kind} ${owner.name}`]),
  );

/** The servers `git` and `zhub` after both announced `x_git_hub_create`, `zhub` first. */
const contested = async (): Promise<Downstream> => {
  const downstream = await started(git, zhub);
  await announce(downstream, 'zhub', ['create']);
  expect(heldBy(downstream)).toEqual({});
  await announce(downstream, 'git', ['hub_create']);
  return downstream;
};

const BY_ZHUB = { x_git_hub_create: 'server zhub' };
const BY_GIT = { x_git_hub_create: 'server git' };

describe('a name that a second server announces', () => {
  it('stays with its holder, and the other server shows the conflict', async () => {
    const downstream = await contested();
    expect(heldBy(downstream)).toEqual(BY_ZHUB);
    const view = viewOf(downstream, 'git');
    expect(view.nameConflicts).toEqual({
      total: 1,
      first: [{ kind: 'tool', name: 'x_git_hub_create', heldBy: 'server "zhub"' }],
    });
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
    const downstream = await started(git, zhub);
    await announce(downstream, 'git', ['hub_tool_0']);
    const byZhub = { x_git_hub_tool_0: 'server zhub' };
    expect(heldBy(downstream)).toEqual(byZhub);
    await downstream.restart('zhub');
    expect(heldBy(downstream)).toEqual(byZhub);
    await downstream.stop('zhub');
    expect(heldBy(downstream)).toEqual(byZhub);
    await downstream.start('zhub');
    expect(heldBy(downstream)).toEqual(byZhub);
  });

  it('goes to the other server when the holder drops the tool', async () => {
    const downstream = await contested();
    await announce(downstream, 'zhub', ['other']);
    expect(heldBy(downstream)).toEqual({});
    expect(viewOf(downstream, 'git')).not.toHaveProperty('nameConflicts');
    await announce(downstream, 'zhub', ['create']);
    expect(heldBy(downstream)).toEqual(BY_GIT);
  });

  it('goes to the other server when the holder is removed', async () => {
    const downstream = await contested();
    downstream.apply([git]);
    expect(heldBy(downstream)).toEqual({});
    downstream.apply([git, zhub]);
    await eventually('zhub is back', () => isConnected(downstream, 'zhub'));
    await announce(downstream, 'zhub', ['create']);
    expect(heldBy(downstream)).toEqual(BY_GIT);
  });
});

describe('a name that two servers have at the start', () => {
  const [a, b] = [raw('a', ['--delay=300']), raw('b', [], { toolPrefix: 'a' })];

  it('belongs to the first by name, although it connects last', async () => {
    const downstream = await started(a, b);
    expect(heldBy(downstream)).toMatchObject({ x_a_tool_0: 'server a' });
    expect(viewOf(downstream, 'b').nameConflicts?.first[0]?.heldBy).toBe('server "a"');
  });

  it('belongs to the one that is there when the other is added later', async () => {
    const downstream = await started(b);
    downstream.apply([a, b]);
    await eventually('a is connected', () => isConnected(downstream, 'a'));
    expect(heldBy(downstream)).toMatchObject({ x_a_tool_0: 'server b' });
  });
});
