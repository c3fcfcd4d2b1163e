import { formatEventMessage, type GatewayEvent } from '@gateway/events';
import { describe, expect, it } from 'vitest';
import { ExecutionRecords } from '../../src/index.ts';
import { echo, failing, workflowOf, harnessOf, type HarnessOptions } from '../run-harness.ts';

const tools = { x_echo: echo, x_bad: failing('disk full') };

/** The messages of one run. */
const textsOf = async (spec: object, options: HarnessOptions = { tools }) => {
  const texts: string[] = [];
  const report = (event: GatewayEvent): number => texts.push(formatEventMessage(event));
  await harnessOf({ ...options, report }).run(workflowOf(spec));
  return texts;
};

const step = (id: string, more: object = {}) => ({ id, tool: 'x_echo', ...more });

describe('the events of a run', () => {
  it('tells of its start, its steps and its end', async () => {
    expect(await textsOf({ steps: [step('a'), step('b')] })).toEqual([
      'Workflow demo execution started (execution: run-1)',
      'Workflow demo step a started (tool: x_echo)',
      'Workflow demo step a completed successfully',
      'Workflow demo step b started (tool: x_echo)',
      'Workflow demo step b completed successfully',
      'Workflow demo execution completed successfully (2 steps) in 6s',
    ]);
  });

  it('tells at which step a run failed, and of failures that are allowed', async () => {
    const bad = { tool: 'x_bad' };
    const steps = [step('a', { ...bad, allowFailure: true }), step('b', bad), step('c')];
    expect((await textsOf({ steps })).slice(1)).toEqual([
      'Workflow demo step a started (tool: x_bad)',
      'Workflow demo step a failed (allow_failure=true, continuing): disk full',
      'Workflow demo step b started (tool: x_bad)',
      'Workflow demo execution failed at step b: disk full',
    ]);
  });

  it('tells how conditions were decided and which steps were left out', async () => {
    const steps = [
      step('a', { condition: { template: '{{ false }}' } }),
      step('b', { condition: { template: '{{ true }}' } }),
    ];
    expect((await textsOf({ steps })).slice(1, -1)).toEqual([
      'Workflow demo step a condition evaluated to false',
      'Workflow demo step a skipped: condition evaluation returned false',
      'Workflow demo step b condition evaluated to true',
      'Workflow demo step b started (tool: x_echo)',
      'Workflow demo step b completed successfully',
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
      'Workflow demo step all started',
      'Workflow demo step one started (tool: x_echo)',
      'Workflow demo step one completed successfully',
      'Workflow demo step one started (tool: x_echo)',
      'Workflow demo step one completed successfully',
      'Workflow demo step all completed successfully',
      'Workflow demo step none started',
      'Workflow demo step none failed (allow_failure=true, continuing): forEach step none: items expression "{{ 7 }}" resolved to number, expected a list',
      'Workflow demo step both started',
      'Workflow demo step l started (tool: x_echo)',
      'Workflow demo step r started (tool: x_bad)',
      'Workflow demo step l completed successfully',
      'Workflow demo step clean started (tool: x_bad)',
      'Workflow demo step clean failed (allow_failure=true, continuing): disk full',
      'Workflow demo execution failed at step r: disk full',
    ]);
  });

  it('tells of a run that was refused, and of an output that could not be rendered', async () => {
    const args = { city: { type: 'string', required: true } };
    const refused = await textsOf({ args, steps: [step('a')] });
    expect(refused[1]).toMatch(/^Workflow demo execution failed: .*city/u);
    const output = { x: '{{ .results.nothing }}' };
    const failed = await textsOf({ steps: [step('a')], output });
    expect(failed.at(-1)).toMatch(/^Workflow demo execution failed: failed to render output/u);
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
