import type { ExecutionRecord } from '@gateway/crd-schemas';
import { describe, expect, it, vi } from 'vitest';
import { createWorkflowEngine } from '../../src/index.ts';
import { workflowOf } from '../run-harness.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-02T03:00:00Z');

/** Runs a loop of 1,000 tools that take a millisecond each; the wall clock jumps during the first. */
const runWith = async (jumpMs: number) => {
  let elapsed = 0;
  let jumped = 0;
  const pause = vi.fn(() => Promise.resolve());
  const records: ExecutionRecord[] = [];
  const engine = createWorkflowEngine({
    callTool: () => {
      jumped = jumpMs;
      elapsed += 1;
      return Promise.resolve({ ok: true, result: {} });
    },
    now: () => START + elapsed + jumped,
    elapsed: () => elapsed,
    newId: () => 'run',
    warn: () => undefined,
    record: (record) => void records.push(record),
    pause,
  });
  const forEach = { items: '{{ .input.list }}', steps: [{ id: 's', tool: 'x' }] };
  const workflow = workflowOf({ steps: [{ id: 'l', forEach }] });
  const { signal } = new AbortController();
  await engine.run(workflow, { list: Array(1000).fill(1) }, { signal });
  return { pauses: pause.mock.calls.length, record: records.at(-1) };
};

describe.each([
  ['forward', 5 * HOUR_MS],
  ['back', -5 * HOUR_MS],
])('a wall clock that jumps %s during a run', (_direction, jumpMs) => {
  it('does not change how often the run yields', async () => {
    expect((await runWith(jumpMs)).pauses).toBe((await runWith(0)).pauses);
  });

  it('does not change the duration and the times of the record', async () => {
    expect((await runWith(jumpMs)).record).toMatchObject({
      started_at: '2026-01-02T03:00:00.000Z',
      completed_at: '2026-01-02T03:00:01.000Z',
      duration_ms: 1_000,
    });
  });
});
