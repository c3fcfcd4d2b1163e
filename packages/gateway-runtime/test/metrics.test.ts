import { describe, expect, it } from 'vitest';
import { createMetrics } from '../src/metrics/metrics.ts';

const metrics = () =>
  createMetrics({
    catalogSize: () => ({ tool: 0, workflow: 0, core: 0 }),
    servers: () => [],
    sessions: () => 0,
    queuedCalls: () => 0,
    queuedRequests: () => [],
  });

describe('metrics of workflows', () => {
  it('count 500 names separately and all further ones together', async () => {
    const { workflowTimer, scrape } = metrics();
    for (let number = 1; number <= 502; number += 1)
      workflowTimer(`w${number.toString()}`).finished(performance.now(), 'completed');
    workflowTimer('w500').finished(performance.now(), 'failed');
    const { text } = await scrape();
    const runs = text.match(/^gateway_workflow_runs_total\{.*$/gmu) ?? [];
    expect(runs).toHaveLength(502);
    expect(runs).toContain('gateway_workflow_runs_total{workflow="w500",outcome="completed"} 1');
    expect(runs).toContain('gateway_workflow_runs_total{workflow="w500",outcome="failed"} 1');
    expect(runs).toContain('gateway_workflow_runs_total{workflow="_other",outcome="completed"} 2');
    expect(text).toContain('gateway_workflow_duration_seconds_count{workflow="_other"} 2');
  });

  it('count steps by status', async () => {
    const { workflowSteps, scrape } = metrics();
    workflowSteps({ completed: 1, failed: 0, skipped: 1 });
    workflowSteps({ completed: 1, failed: 0, skipped: 0 });
    const { text } = await scrape();
    expect(text).toContain('gateway_workflow_steps_total{status="completed"} 2');
    expect(text).toContain('gateway_workflow_steps_total{status="skipped"} 1');
    expect(text).not.toContain('gateway_workflow_steps_total{status="failed"}');
  });
});
