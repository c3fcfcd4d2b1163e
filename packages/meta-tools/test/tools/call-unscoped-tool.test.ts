import { ANONYMOUS, type CallContext, type CallOutcome } from '@gateway/call-contract';
import { expect, it } from 'vitest';
import { callUnscopedTool } from '../../src/index.ts';
import { requirement } from '../requirement.ts';
import { worldOf, type World } from '../world.ts';

const context: CallContext = {
  principal: ANONYMOUS,
  sessionId: 's7',
  signal: new AbortController().signal,
};

const call = (world: World, name: string, args = {}): Promise<CallOutcome> =>
  callUnscopedTool({ name, arguments: args }, context, world.ports);

requirement('4.2/workflow-steps-not-rechecked', () => {
  it('a tool is called by its exposed name where it is served, with what accompanies the call', async () => {
    const world = worldOf();
    for (const name of ['x_wiki_search', 'workflow_report', 'core_service_list'])
      expect(await call(world, name, { a: 1 })).toMatchObject({ ok: true });
    expect(world.calls).toEqual([
      {
        port: 'callServerTool',
        call: { server: 'wiki', tool: 'search', arguments: { a: 1 } },
        context,
      },
      { port: 'callWorkflow', call: { name: 'workflow_report', args: { a: 1 } }, context },
      { port: 'callCoreTool', call: { name: 'core_service_list', args: { a: 1 } }, context },
    ]);
    expect(world.refusals).toEqual([]);
  });

  it('an unknown name calls nothing', async () => {
    const world = worldOf();
    for (const name of ['x_none', '__proto__', 'constructor'])
      expect(await call(world, name)).toEqual({ ok: false, text: `Tool not found: ${name}` });
    expect(world.calls).toEqual([]);
  });

  it('a family tool wants its instance', async () => {
    const world = worldOf();
    const family = world.ports.snapshot('s7').tools.find(({ instanceArg }) => instanceArg);
    const outcome = await call(world, family?.name ?? '');
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.ok ? '' : outcome.text).toContain('parameter is required');
    expect(world.calls).toEqual([]);
  });
});
