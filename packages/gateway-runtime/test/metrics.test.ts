import { describe, expect, it } from 'vitest';
import { createMetrics } from '../src/metrics/metrics.ts';

interface Existing {
  servers: string[];
  workflows: string[];
}

const server = (name: string) => ({
  ...{ name, state: 'Running', health: 'healthy' },
  status: { restartCount: 0, consecutiveFailures: 0 },
});

const metrics = (existing: Existing = { servers: [], workflows: [] }) =>
  createMetrics({
    catalogSize: () => ({ tool: 0, workflow: 0, core: 0 }),
    servers: () => existing.servers.map(server),
    userConnections: () => new Map(existing.servers.map((name) => [name, 2])),
    workflows: () => existing.workflows.map((name) => ({ name })),
    sessions: () => 0,
    queuedCalls: () => 0,
    serverLoads: () => existing.servers.map((name) => [name, { queued: 3, openBreakers: 1 }]),
  });

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `w${(index + 1).toString()}`);

describe('metrics of a deleted server', () => {
  it('are removed, and begin at zero when a server of that name is defined again', async () => {
    const existing: Existing = { servers: ['a', 'b'], workflows: [] };
    const { serverTimer, serverRefused, hintWidened, scrape } = metrics(existing);
    for (const name of existing.servers) {
      serverTimer(name).finished(performance.now(), 'ok');
      hintWidened({ server: name, held: false });
      serverRefused({ server: name, code: 'server.rate-limited' });
    }
    const linesOf = async (name: string): Promise<readonly string[]> =>
      (await scrape()).text.split('\n').filter((line) => line.includes(`server="${name}"`));
    expect(await linesOf('a')).toContain(
      'gateway_server_requests_total{server="a",outcome="ok"} 1',
    );
    existing.servers = ['b'];
    expect(await linesOf('a')).toEqual([]);
    expect(await linesOf('b')).toContain(
      'gateway_server_requests_total{server="b",outcome="ok"} 1',
    );
    expect(await linesOf('b')).toContain(
      'gateway_tool_hint_widenings_total{server="b",held="false"} 1',
    );
    for (const line of [
      'gateway_server_requests_refused_total{server="b",reason="rate-limited"} 1',
      'gateway_server_queued_requests{server="b"} 3',
      'gateway_server_open_breakers{server="b"} 1',
    ])
      expect(await linesOf('b')).toContain(line);
    existing.servers = ['a', 'b'];
    expect(await linesOf('a')).not.toContainEqual(expect.stringContaining('requests_total'));
    serverTimer('a').finished(performance.now(), 'ok');
    expect(await linesOf('a')).toContain(
      'gateway_server_requests_total{server="a",outcome="ok"} 1',
    );
  });
});

describe('metrics of workflows', () => {
  it('count 500 names separately and all further ones together', async () => {
    const { workflowTimer, scrape } = metrics({ servers: [], workflows: names(502) });
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

  it('of deleted workflows are removed, and their names count no longer', async () => {
    const existing: Existing = { servers: [], workflows: names(500) };
    const { workflowTimer, scrape } = metrics(existing);
    for (const name of existing.workflows)
      workflowTimer(name).finished(performance.now(), 'completed');
    existing.workflows = ['w1', 'new'];
    workflowTimer('new').finished(performance.now(), 'completed');
    const { text } = await scrape();
    expect(text.match(/^gateway_workflow_runs_total\{.*$/gmu)).toEqual([
      'gateway_workflow_runs_total{workflow="w1",outcome="completed"} 1',
      'gateway_workflow_runs_total{workflow="new",outcome="completed"} 1',
    ]);
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
