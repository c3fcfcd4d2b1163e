import { formatEventMessage, type GatewayEvent } from '@gateway/events';
import { describe, expect, it } from 'vitest';
import { ExecutionRecords } from '../../src/index.ts';
import { echo, failing, workflowOf, harnessOf } from '../run-harness.ts';

const tools = { x_echo: echo, x_bad: failing('disk full') };

/** The messages of one run, without the name of the workflow. */
const textsOf = async (spec: object) => {
  const texts: string[] = [];
  const report = (event: GatewayEvent): number =>
    texts.push(formatEventMessage(event).replace('Workflow demo ', ''));
  await harnessOf({ tools, report }).run(workflowOf(spec));
  return texts;
};

const step = (id: string, more: object = {}) => ({ id, tool: 'x_echo', ...more });

describe('the events of a run', () => {
  it('tells of its start, its steps and its end', async () => {
    expect(await textsOf({ steps: [step('a'), step('b')] })).toEqual([
      'execution started (execution: run-1)',
      'step a started (tool: x_echo)',
      'step a completed successfully',
      'step b started (tool: x_echo)',
      'step b completed successfully',
      'execution completed successfully (2 steps) in 6s',
    ]);
  });

  it('tells at which step a run failed, and of failures that are allowed', async () => {
    const bad = { tool: 'x_bad' };
    const steps = [step('a', { ...bad, allowFailure: true }), step('b', bad), step('c')];
    expect((await textsOf({ steps })).slice(1)).toEqual([
      'step a started (tool: x_bad)',
      'step a failed (allow_failure=true, continuing): disk full',
      'step b started (tool: x_bad)',
      'execution failed at step b: disk full',
    ]);
  });

  it('tells how conditions were decided and which steps were left out', async () => {
    const steps = [
      step('a', { condition: { template: '{{ false }}' } }),
      step('b', { condition: { template: '{{ true }}' } }),
    ];
    expect((await textsOf({ steps })).slice(1, -1)).toEqual([
      'step a condition evaluated to false',
      'step a skipped: condition evaluation returned false',
      'step b condition evaluated to true',
      'step b started (tool: x_echo)',
      'step b completed successfully',
    ]);
  });

  it('tells of loops, groups and handlers', async () => {
    const steps = [
      { id: 'all', forEach: { items: '{{ list 1 2 }}', as: 'n', steps: [step('one')] } },
      {
        id: 'none',
        forEach: { items: '{{ 7 }}', as: 'n', steps: [step('x')] },
        allowFailure: true,
      },
      { id: 'both', parallel: [step('l'), step('r', { tool: 'x_bad' })] },
    ];
    expect(
      (await textsOf({ steps, onFailure: [step('clean', { tool: 'x_bad' })] })).slice(1),
    ).toEqual([
      'step all started',
      'step one started (tool: x_echo)',
      'step one completed successfully',
      'step one started (tool: x_echo)',
      'step one completed successfully',
      'step all completed successfully',
      'step none started',
      'step none failed (allow_failure=true, continuing): forEach step none: items expression "{{ 7 }}" resolved to number, expected a list',
      'step both started',
      'step l started (tool: x_echo)',
      'step r started (tool: x_bad)',
      'step l completed successfully',
      'step clean started (tool: x_bad)',
      'step clean failed (allow_failure=true, continuing): disk full',
      'execution failed at step r: disk full',
    ]);
  });

  it('tells of a run that was refused, and of an output that could not be rendered', async () => {
    const args = { city: { type: 'string', required: true } };
    const refused = await textsOf({ args, steps: [step('a')] });
    expect(refused[1]).toMatch(/^execution failed: .*city/u);
    const output = { x: '{{ .results.nothing }}' };
    const failed = await textsOf({ steps: [step('a')], output });
    expect(failed.at(-1)).toMatch(/^execution failed: failed to render output/u);
  });

  it('is not disturbed by whoever listens', async () => {
    const report = (): never => {
      throw new Error('no room');
    };
    const { isError } = await harnessOf({ tools, report }).run(workflowOf({ steps: [step('a')] }));
    expect(isError).toBe(false);
  });
});

describe('the record of a run', () => {
  it('is told of once the storage has it, and only when the run is over', async () => {
    const events: GatewayEvent[] = [];
    const harness = harnessOf({ tools });
    await harness.run(workflowOf({ steps: [step('a')] }));
    const [started, ended] = harness.records;
    const written = { write: () => Promise.resolve(), remove: () => Promise.resolve() };
    const blobs = { ...written, list: () => Promise.resolve([]), read: () => Promise.resolve('') };
    const report = (event: GatewayEvent): number => events.push(event);
    const records = new ExecutionRecords({ blobs, now: () => 0, warn: () => undefined, report });
    void records.put(started!);
    await records.settle();
    expect(events).toEqual([]);
    void records.put(ended!);
    await records.settle();
    expect(events).toEqual([
      { reason: 'WorkflowExecutionTracked', name: 'demo', execution: 'run-1' },
    ]);
  });
});
