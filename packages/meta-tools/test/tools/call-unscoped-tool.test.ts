import { ANONYMOUS, type CallContext, type CallOutcome } from '@gateway/call-contract';
import { expect, it } from 'vitest';
import { callUnscopedTool } from '../../src/index.ts';
import { requirement } from '../requirement.ts';
import { harnessOf, type Harness } from '../harness.ts';

const context: CallContext = {
  principal: ANONYMOUS,
  sessionId: 's7',
  signal: new AbortController().signal,
};

const call = (harness: Harness, name: string, args = {}): Promise<CallOutcome> =>
  callUnscopedTool({ name, arguments: args }, context, harness.ports);

requirement('4.2/workflow-steps-not-rechecked', () => {
  it('a tool is called by its exposed name at its server, with the context of the call', async () => {
    const harness = harnessOf();
    for (const name of ['x_wiki_search', 'workflow_report', 'core_service_list'])
      expect(await call(harness, name, { a: 1 })).toMatchObject({ ok: true });
    expect(harness.calls).toEqual([
      {
        port: 'callServerTool',
        call: { server: 'wiki', tool: 'search', arguments: { a: 1 } },
        context,
      },
      { port: 'callWorkflow', call: { name: 'workflow_report', args: { a: 1 } }, context },
      { port: 'callCoreTool', call: { name: 'core_service_list', args: { a: 1 } }, context },
    ]);
    expect(harness.refusals).toEqual([]);
  });

  it('an unknown name calls nothing', async () => {
    const harness = harnessOf();
    for (const name of ['x_none', '__proto__', 'constructor'])
      expect(await call(harness, name)).toEqual({ ok: false, text: `Tool not found: ${name}` });
    expect(harness.calls).toEqual([]);
  });

  it('a family tool requires its instance', async () => {
    const harness = harnessOf();
    const family = harness.ports.snapshot(ANONYMOUS).tools.find(({ instanceArg }) => instanceArg);
    const outcome = await call(harness, family?.name ?? '');
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.ok ? '' : outcome.text).toContain('parameter is required');
    expect(harness.calls).toEqual([]);
  });
});
