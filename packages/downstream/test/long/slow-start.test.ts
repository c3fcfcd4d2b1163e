import { describe, expect, it } from 'vitest';
import {
  eventually,
  resultOf,
  running,
  testDownstream,
  untilState,
  viewOf,
} from '../harness/downstream.ts';
import { stdioFixture } from '../harness/servers.ts';

/** The probe is unanswered for much longer than `eraProbeMs`. */
const timeouts = { eraProbeMs: 100, stdioStartMs: 30_000 };
const backoff = { firstMs: 60_000, maxMs: 60_000 };

it.each([
  ['of the SDK', 'gen2-stdio.mjs', ['--modern-only'], '2026-07-28'],
  ['of the SDK, of both eras', 'gen2-stdio.mjs', [], '2026-07-28'],
  ['without initialize', 'raw-stdio.mjs', ['--modern', '--refuse-initialize'], '2026-07-28'],
  ['of the 2025 revisions', 'raw-stdio.mjs', [], '2025-11-25'],
  ['of the first SDK', 'gen1-stdio.mjs', [], '2025-11-25'],
])(
  'a stdio server that answers the era probe late is connected by its first process: %s',
  async (_name, script, args, protocolVersion) => {
    const server = stdioFixture('slow', script, [...args, '--delay=800']);
    const { downstream } = await running([server], { timeouts, backoff });
    const view = { state: 'Running', protocolVersion, restartCount: 0 };
    expect(viewOf(downstream, 'slow')).toMatchObject(view);
    expect(viewOf(downstream, 'slow').status.lastError).toBeUndefined();
    expect(downstream.inventories()[0]?.tools.length).toBeGreaterThan(0);
  },
);

it('a stdio server that ignores the era probe is connected by initialize, with the capabilities of the callers', async () => {
  const options = { timeouts, backoff, clientFeatures: { elicitation: {} } };
  const server = stdioFixture('old', 'raw-stdio.mjs', ['--ignore-probe']);
  const { downstream } = await running([server], options);
  const view = { state: 'Running', protocolVersion: '2025-11-25' };
  expect(viewOf(downstream, 'old')).toMatchObject(view);
  const { seen } = resultOf(await downstream.callTool({ server: 'old', tool: 'seen' }));
  expect(seen).toMatchObject([
    {
      method: 'initialize',
      params: { clientInfo: { name: 'gateway-test' }, capabilities: { elicitation: {} } },
    },
    { method: 'notifications/initialized' },
    { method: 'tools/list' },
    { method: 'resources/list' },
    { method: 'resources/templates/list' },
    { method: 'prompts/list' },
    { method: 'tools/call' },
  ]);
});

describe('a stdio server that answers nothing', () => {
  it('is ended at the bound of its start, and not before', async () => {
    const { downstream } = testDownstream({ timeouts, backoff });
    const began = performance.now();
    downstream.apply([stdioFixture('mute', 'raw-stdio.mjs', ['--mute'], { startTimeout: 2 })]);
    await untilState(downstream, 'mute', 'Failed');
    expect(performance.now() - began).toBeGreaterThan(1_990);
    expect(viewOf(downstream, 'mute').reason).toBe('not ready within 2 s');
  });

  it('gets SIGTERM, and time to end its installation', async () => {
    const options = { timeouts: { ...timeouts, closeGraceMs: 50 }, backoff };
    const { downstream, log } = testDownstream(options);
    const args = ['--mute', '--install=1000'];
    downstream.apply([stdioFixture('slow', 'raw-stdio.mjs', args, { startTimeout: 2 })]);
    await untilState(downstream, 'slow', 'Failed');
    const line = expect.objectContaining({
      event: 'server.stderr',
      line: 'interrupted',
    }) as unknown;
    expect(log).toContainEqual(line);
    expect(viewOf(downstream, 'slow').reason).toContain('not ready within 2 s');
  });

  it('shows its last line of output while it starts, without directories and secrets', async () => {
    const { downstream } = testDownstream({ timeouts, backoff });
    const env = { KEY: 'tools 99%' };
    downstream.apply([stdioFixture('slow', 'raw-stdio.mjs', ['--mute', '--install=0'], { env })]);
    const shown = (): string | undefined => viewOf(downstream, 'slow').startProgress;
    await eventually('progress is shown', () => shown() !== undefined);
    expect(shown()).toBe('Downloading [redacted] from [path]/pkg');
    expect(await downstream.stop('slow')).toEqual({ code: 'stopped', server: 'slow' });
    expect(shown()).toBeUndefined();
  });

  it('shows nothing once the server runs', async () => {
    const { downstream, log } = testDownstream({ timeouts, backoff });
    downstream.apply([stdioFixture('done', 'raw-stdio.mjs', ['--chatty'])]);
    await untilState(downstream, 'done', 'Running');
    const hasLines = (): boolean => log.some(({ event }) => event === 'server.stderr');
    await eventually('its output was read', hasLines);
    expect(viewOf(downstream, 'done').startProgress).toBeUndefined();
  });
});
