import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, refusalOf, serverInfo, textOf, toolNames } from './harness/answers.ts';
import { connect, type TestClient } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';

const directory = createTestConfigDirectory();
const headers: Record<string, string> = {};
let gateway: RunningGateway;
let client: TestClient;
let scoped: TestClient;

const PRESETS = {
  team: { include: [{ label: 'team=files' }] },
  one: { include: [{ tool: 'x_steady_echo' }] },
};

beforeAll(async () => {
  directory.config({ toolsetPresets: PRESETS });
  directory.server('steady', fixture('plain'));
  directory.server('edited', fixture('plain'), { team: 'files' });
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
  scoped = await connect(gateway.url, headers);
});

afterAll(async () => {
  await client.close();
  await scoped.close();
  await gateway.stop();
  directory.remove();
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

/** The milliseconds until each edit was visible. */
const times: number[] = [];

/** Does the edit, waits until it is visible, and proves that the other server went on undisturbed. */
async function edit(change: () => void, visible: () => Promise<unknown>): Promise<void> {
  const [pid, { connectedAt }] = [await pidOf('steady'), await serverInfo(client, 'steady')];
  const running = callTool(client, 'x_steady_slow', { ms: 300 });
  const startedAt = performance.now();
  change();
  await retryAssertion(visible);
  times.push(performance.now() - startedAt);
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

  it('are restarted when their connection settings change', async () => {
    const pid = await pidOf('edited');
    await edit(
      () =>
        directory.server('edited', fixture('plain', { env: { CHANGED: '1' } }), { team: 'files' }),
      async () => expect(await pidOf('edited')).not.toBe(pid),
    );
  });

  it('keep their connection when only description, prefix or labels change', async () => {
    const pid = await pidOf('edited');
    const spec = { ...fixture('plain', { env: { CHANGED: '1' } }), toolPrefix: 'renamed' };
    await edit(
      () => directory.server('edited', { ...spec, description: 'Another text' }, { team: 'files' }),
      async () => expect(await pidOf('renamed')).toBe(pid),
    );
    expect(await serverInfo(client, 'edited')).toMatchObject({ description: 'Another text' });
  });
});

describe('labels', () => {
  it('apply at once: a server leaves and joins a preset with its label', async () => {
    const spec = { ...fixture('plain', { env: { CHANGED: '1' } }), toolPrefix: 'renamed' };
    expect(await namesUnder('preset:team')).toHaveLength(8);
    const pid = await pidOf('renamed');
    await edit(
      () => directory.server('edited', spec, { team: 'others' }),
      async () => expect(await namesUnder('preset:team')).toEqual([]),
    );
    await edit(
      () => directory.server('edited', spec, { team: 'files' }),
      async () => expect(await namesUnder('preset:team')).toHaveLength(8),
    );
    expect(await pidOf('renamed')).toBe(pid);
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

  it('stay in force when the file is not YAML', async () => {
    directory.write('config.yaml', 'toolsetPresets: [\n');
    await retryAssertion(() =>
      expect(logged('config.yaml:2:1: the indentation is invalid')).toBe(true),
    );
    expect(await namesUnder('preset:one')).toEqual(['x_steady_pid']);
  });

  it('are corrected by the next edit', async () => {
    await edit(
      () => directory.config({ toolsetPresets: PRESETS }),
      async () => expect(await namesUnder('preset:one')).toEqual(['x_steady_echo']),
    );
  });
});

describe('a bad server file', () => {
  it('is skipped and logged as an error while other servers are served', async () => {
    await edit(
      () => directory.write('mcpservers/broken.yaml', 'kind: MCPServer\nspec: {}\n'),
      () => {
        expect(logged('mcpservers/broken.yaml:')).toBe(true);
        return Promise.resolve();
      },
    );
    const errors = gateway
      .logs()
      .filter(({ level, msg }) => level === 'error' && String(msg).includes('broken.yaml'));
    expect(errors).not.toEqual([]);
    await pidOf('renamed');
  });

  it('is served after it is corrected', async () => {
    await edit(
      () => directory.server('broken', fixture('plain')),
      () => pidOf('broken'),
    );
  });
});

it('half of the edits were visible within a second', () => {
  expect(times).toHaveLength(11);
  expect(times.sort((a, b) => a - b)[5]).toBeLessThan(1000);
});
