import { retryAssertion } from '@gateway/repo-checks';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, callTool, refusalOf, serverInfo, textOf, toolNames } from './harness/answers.ts';
import { connect, type TestClient } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';

const directory = testDirectory();
const headers: Record<string, string> = {};
let gateway: RunningGateway;
let client: TestClient;
let scoped: TestClient;

const PRESETS = {
  team: { include: [{ label: 'team=files' }] },
  one: { include: [{ tool: 'x_steady_echo' }] },
};

setUp(async () => {
  directory.config({ toolsetPresets: PRESETS });
  directory.server('steady', fixture('plain'));
  directory.server('edited', fixture('plain'), { team: 'files' });
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
  scoped = await connect(gateway.url, headers);
});

const pidOf = async (server: string) => {
  const text = textOf(await callTool(client, `x_${server}_pid`));
  expect(text).toMatch(/^\d+$/u);
  return text;
};

const namesUnder = (toolset: string) => {
  headers['X-Gateway-Toolset'] = toolset;
  return toolNames(scoped);
};

const logged = (text: string) => gateway.stderr.some((line) => line.includes(text));

/** Does the edit, waits until it is visible, and proves that the other server went on undisturbed. */
async function edit(change: () => void, visible: () => Promise<unknown>): Promise<void> {
  const [pid, { connectedAt }] = [await pidOf('steady'), await serverInfo(client, 'steady')];
  const running = callTool(client, 'x_steady_slow', { ms: 300 });
  change();
  await retryAssertion(visible);
  expect(textOf(await running)).toBe('done');
  expect(await pidOf('steady')).toBe(pid);
  expect(await serverInfo(client, 'steady')).toMatchObject({ connectedAt });
}

describe('servers', () => {
  it('are served without a restart when they are added', async () => {
    await edit(
      () => directory.server('added', fixture('plain')),
      () => pidOf('added'),
    );
  });

  it('stop with their tools and their process when they are removed', async () => {
    const pid = Number(await pidOf('added'));
    await edit(
      () => directory.delete('mcpservers/added.yaml'),
      async () =>
        expect(await refusalOf(client, 'call_tool', { name: 'x_added_pid' })).toBe(
          'Tool not found: x_added_pid',
        ),
    );
    await retryAssertion(() => {
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
  });
});

describe('limits', () => {
  it('apply to the next call, and end with their definition, in the same process', async () => {
    const spec = fixture('plain');
    const pid = await pidOf('edited');
    const breaker = { failures: 1, openSeconds: 3_600 };
    const limits = { callTimeout: 1, breaker, rate: { total: 9, seconds: 60 } };
    await edit(
      () => directory.server('edited', { ...spec, limits }, { team: 'files' }),
      async () => expect(await serverInfo(client, 'edited')).toMatchObject({ limits }),
    );
    expect(textOf(await callTool(client, 'x_edited_hang'))).toBe(
      'Tool execution failed: server edited did not answer within 1 s',
    );
    expect(textOf(await callTool(client, 'x_edited_pid'))).toMatch(
      /: server edited failed several times in a row and is not called: its breaker is open, the next attempt is possible in 3\d{3} s$/u,
    );
    expect(await serverInfo(client, 'edited')).toMatchObject({
      requests: { running: 0, waiting: 0, refused: 1, breaker: 'open' },
    });
    const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
    expect(metrics).toContain('gateway_server_open_breakers{server="edited"} 1');
    expect(metrics).toContain(
      'gateway_server_requests_refused_total{server="edited",reason="breaker-open"} 1',
    );
    expect(metrics).toContain('gateway_events_total{reason="MCPServerBreakerOpened"} 1');
    await edit(
      () => directory.server('edited', spec, { team: 'files' }),
      async () => expect(await serverInfo(client, 'edited')).not.toHaveProperty('limits'),
    );
    expect(await pidOf('edited')).toBe(pid);
  });
});

describe('labels', () => {
  it('apply at once: a server leaves and joins a preset with its label', async () => {
    const spec = fixture('plain');
    expect(await namesUnder('preset:team')).toHaveLength(8);
    const pid = await pidOf('edited');
    await edit(
      () => directory.server('edited', spec, { team: 'others' }),
      async () => expect(await namesUnder('preset:team')).toEqual([]),
    );
    await edit(
      () => directory.server('edited', spec, { team: 'files' }),
      async () => expect(await namesUnder('preset:team')).toHaveLength(8),
    );
    expect(await pidOf('edited')).toBe(pid);
  });
});

describe('changes of tools in a definition', () => {
  const definition = (...tools: readonly object[]) => ({ ...fixture('plain'), tools });
  const echoed = async (tool: string) => textOf(await callTool(client, tool, { text: 'own' }));

  it('apply at once to agents and workflows, over the same connection', async () => {
    const step = { id: 'echo', tool: 'x_edited_echo', args: { text: 'of the step' }, store: true };
    directory.workflow('echoing', { steps: [step] });
    const pid = await pidOf('edited');
    const refused = 'Tool not found: x_edited_hang';
    await edit(
      () =>
        directory.server(
          'edited',
          definition({ name: 'echo', defaults: { text: 'set' } }, { name: 'hang', hidden: true }),
        ),
      async () => expect(await echoed('x_edited_echo')).toBe('set'),
    );
    expect(await refusalOf(client, 'call_tool', { name: 'x_edited_hang' })).toBe(refused);
    expect(await ask(client, 'describe_tool', { name: 'x_edited_echo' })).toMatchObject({
      changed: ['defaults.text'],
    });
    await retryAssertion(async () => {
      expect(textOf(await callTool(client, 'workflow_echoing'))).toContain('"set"');
    });
    expect(await pidOf('edited')).toBe(pid);
    await edit(
      () => directory.server('edited', definition()),
      async () => expect(await echoed('x_edited_echo')).toBe('own'),
    );
  });

  it('give values of Secrets to the server only; a call without one is refused', async () => {
    const secretKeyRef = { name: 'echo', key: 'text' };
    const rule = { name: 'echo', defaultsFrom: [{ name: 'text', secretKeyRef }] };
    const pid = await pidOf('edited');
    await edit(
      () => directory.server('edited', definition(rule)),
      async () =>
        expect(await refusalOf(client, 'call_tool', { name: 'x_edited_echo' })).toBe(
          'Tool execution failed: tool echo of server edited has no value for its argument "text": the file secrets/echo/text does not exist: create it with mode 0600',
        ),
    );
    directory.write('secrets/echo/text', 'canary-5e1d');
    chmodSync(join(directory.path, 'secrets/echo/text'), 0o600);
    await retryAssertion(async () => {
      expect(await echoed('x_edited_echo')).toBe('canary-5e1d');
    });
    expect(await pidOf('edited')).toBe(pid);
    expect(logged('canary-5e1d')).toBe(false);
  });
});

describe('presets', () => {
  it('apply to the next request after an edit', async () => {
    await edit(
      () =>
        directory.config({
          toolsetPresets: { ...PRESETS, one: { include: [{ tool: 'x_steady_pid' }] } },
        }),
      async () => expect(await namesUnder('preset:one')).toEqual(['x_steady_pid']),
    );
  });

  it('stay in force after an invalid edit, which is logged', async () => {
    await edit(
      () =>
        directory.config({
          toolsetPresets: {
            one: { include: [{ tool: 'x_steady_echo' }] },
            bad: { include: [{ preset: 'nowhere' }] },
          },
        }),
      () => {
        expect(
          logged(
            'preset \\"bad\\" include[0] includes unknown preset \\"nowhere\\"; known presets: read-only, none, full, bad, one; the previous presets stay in force',
          ),
        ).toBe(true);
        return Promise.resolve();
      },
    );
    expect(await namesUnder('preset:one')).toEqual(['x_steady_pid']);
    headers['X-Gateway-Toolset'] = 'preset:bad';
    expect(await refusalOf(scoped, 'list_tools')).toBe(
      'toolset [preset:bad] names unknown preset "bad"; known presets: read-only, none, full, one, team',
    );
  });
});
