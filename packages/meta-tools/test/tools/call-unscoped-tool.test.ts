import { expect, it } from 'vitest';
import { callUnscopedTool } from '../../src/index.ts';
import { contextOf } from '../native/native-harness.ts';
import { requirement } from '../requirement.ts';
import { harnessOf } from '../harness.ts';

const context = contextOf({ sessionId: 's7' });

const steps = () => {
  const { calls, refusals, ports } = harnessOf();
  const call = (name: string, args = {}) =>
    callUnscopedTool({ name, arguments: args }, context, ports);
  return { calls, refusals, call };
};

requirement('4.2/workflow-steps-not-rechecked', () => {
  it('a tool is called by its exposed name at its server, with the context of the call', async () => {
    const { call, calls, refusals } = steps();
    const args = { a: 1 };
    for (const name of ['x_wiki_search', 'workflow_report', 'core_service_list'])
      expect(await call(name, args)).toMatchObject({ ok: true });
    const search = { server: 'wiki', tool: 'search', arguments: args };
    expect(calls).toEqual([
      { port: 'callServerTool', call: search, context },
      { port: 'callWorkflow', call: { name: 'workflow_report', args }, context },
      { port: 'callCoreTool', call: { name: 'core_service_list', args }, context },
    ]);
    expect(refusals).toEqual([]);
  });

  it.each([
    ['x_none', 'Tool not found: x_none'],
    ['__proto__', 'Tool not found: __proto__'],
    ['constructor', 'Tool not found: constructor'],
    ['x_k8s_pods', expect.stringContaining('parameter is required') as string],
  ])('%s calls nothing', async (name, text) => {
    const { call, calls } = steps();
    expect(await call(name)).toEqual({ ok: false, text });
    expect(calls).toEqual([]);
  });
});
