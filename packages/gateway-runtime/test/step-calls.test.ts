import { AuditTrail } from '../src/audit/audit-trail.ts';
import { ANONYMOUS, type CallContext, type Caller, type CallOutcome } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { DEFAULT_ENGINE_LIMITS, RunBudget, type ToolCallContext } from '@gateway/workflow-engine';
import { describe, expect, it } from 'vitest';
import { findChain } from '../src/calls/stage.ts';
import { createStepCaller, type StepPorts } from '../src/workflows/create-workflow-caller.ts';

const snapshot = buildCatalog({
  servers: [],
  workflows: [{ name: 'inner', description: '', inputSchema: { type: 'object' } }],
  coreTools: [
    { name: 'core_x', description: '', inputSchema: { type: 'object' }, annotations: {} },
  ],
});

const DONE: CallOutcome = { ok: true, result: { content: [] } };

/** Calls `core_x` or `workflow_inner` for a step. The called tool receives the context. */
function world(answer: (context: CallContext) => Promise<CallOutcome>) {
  const seen: CallContext[] = [];
  const warnings: string[] = [];
  const port = (_name: unknown, _args: unknown, context: CallContext) => {
    seen.push(context);
    return answer(context);
  };
  const ports: StepPorts = {
    snapshot: () => snapshot,
    lastKnownTools: () => undefined,
    callServerTool: () => Promise.resolve(DONE),
    callCoreTool: port,
    callWorkflow: port,
  };
  const callTool = createStepCaller(
    () => ports,
    (text) => warnings.push(text),
    new AuditTrail({ count: () => undefined }),
  );
  return { callTool, seen, warnings };
}

const run = (more: Partial<CallContext> = {}): CallContext => ({
  principal: ANONYMOUS,
  sessionId: 's1',
  signal: new AbortController().signal,
  ...more,
});

const stepContext = (more: Partial<ToolCallContext> = {}): ToolCallContext => ({
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  chain: ['outer'],
  executionId: 'run-1',
  caller: run(),
  budget: RunBudget.root(DEFAULT_ENGINE_LIMITS, { held: 0, roots: 0 }),
  ...more,
});

const call = { tool: 'core_x', arguments: {} };

describe('a call of a step', () => {
  it('passes session, chain and caller on, and nothing else of the request that started the run', async () => {
    const { callTool, seen } = world(() => Promise.resolve(DONE));
    const caller = run({
      meta: { progressToken: 1 },
      requestState: 'x',
      inputResponses: {},
      onProgress: () => undefined,
    });
    expect(await callTool(call, stepContext({ caller }))).toEqual(DONE);
    const [context] = seen;
    expect(context).toMatchObject({ sessionId: 's1' });
    expect(context?.meta).toBeUndefined();
    expect(context?.onProgress).toBeUndefined();
    expect(context?.requestState).toBeUndefined();
    expect(context?.inputResponses).toBeUndefined();
    expect(findChain(context ?? caller)).toEqual(['outer']);
    expect(findChain(caller)).toEqual([]);
  });

  it('can run another workflow', async () => {
    const { callTool, seen } = world(() => Promise.resolve(DONE));
    await callTool({ tool: 'workflow_inner', arguments: {} }, stepContext({ chain: ['a', 'b'] }));
    expect(findChain(seen[0] ?? run())).toEqual(['a', 'b']);
  });

  it('of an unknown tool fails with its name', async () => {
    const { callTool } = world(() => Promise.resolve(DONE));
    const outcome = await callTool({ tool: 'x_none', arguments: {} }, stepContext());
    expect(outcome).toEqual({ ok: false, text: 'Tool not found: x_none' });
  });

  it('sends questions to a caller of 2026-07-28 during the call, with the same caller identity', async () => {
    const { callTool, seen } = world(() => Promise.resolve(DONE));
    const caller: Caller = {
      capabilities: { elicitation: {} },
      takesInputRequired: true,
      logLevel: 'info',
      identity: 'me',
      ask: ({ method }) => Promise.resolve({ ok: true, result: { method } }),
      notify: () => undefined,
    };
    await callTool(call, stepContext({ caller: run({ caller }) }));
    await callTool(call, stepContext({ caller: run({ caller }) }));
    const [first, second] = seen.map((context) => context.caller);
    expect(first).toBe(second);
    expect(first?.takesInputRequired).toBe(false);
    expect(first).toMatchObject({ capabilities: { elicitation: {} }, identity: 'me' });
    const question = { method: 'elicitation/create', params: {} };
    expect(await first?.ask(question)).toEqual({ ok: true, result: { method: question.method } });
  });

  it('ends at its time limit even when the tool ignores the abort signal', async () => {
    const { callTool, seen } = world(() => new Promise(() => undefined));
    const text = 'the tool did not answer within 0.02 s';
    expect(await callTool(call, stepContext({ timeoutMs: 20 }))).toEqual({ ok: false, text });
    expect(seen[0]?.signal.reason).toEqual(new Error(text));
  });

  it('is cancelled with the run', async () => {
    const cancelling = new AbortController();
    const { callTool, seen } = world(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve({ ok: false, text: String(signal.reason) });
          });
        }),
    );
    const outcome = callTool(call, stepContext({ signal: cancelling.signal }));
    cancelling.abort('enough');
    expect(await outcome).toEqual({ ok: false, text: 'enough' });
    expect(
      await callTool(call, stepContext({ signal: AbortSignal.abort('before'), timeoutMs: 5 })),
    ).toEqual({ ok: false, text: 'the tool did not answer within 0.005 s' });
    expect(seen[1]?.signal.reason).toBe('before');
  });

  it('that throws is a failure and logs one line', async () => {
    const { callTool, warnings } = world(() => Promise.reject(new Error('boom')));
    expect(await callTool(call, stepContext())).toEqual({ ok: false, text: 'boom' });
    expect(warnings).toEqual(["the workflow's call to core_x failed: boom"]);
  });
});
