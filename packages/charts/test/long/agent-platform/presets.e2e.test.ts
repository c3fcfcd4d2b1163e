import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { render, type ManifestObject } from '../../../src/render.ts';
import {
  configurationOf,
  fleetObjects,
  serversOf,
  writeConfigDirectory,
  writeServers,
} from '../../harness/fleet.ts';
import { filterTools } from '../../harness/gateway-client.ts';
import { findFreePort } from '@gateway/test-peers';
import { startNode, type NodeProcess } from '../../harness/node-process.ts';
import { CORE_TOOLS, toolsOf } from '../../agent-platform/shown-tools.ts';
import { requirement } from '../../requirement.ts';

const APP = resolve(import.meta.dirname, '../../../../../apps/gateway');
const CLI = join(APP, 'dist/cli.js');
const EVERYTHING = join(APP, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** Values of an installation: the URLs of its servers. Their objects are files in this test. */
const installation = (url: string, state: string) => ({
  muster: {
    muster: {
      kubernetes: { enabled: false },
      stateDirectory: join(state, 'state'),
      workflows: { executionsDirectory: join(state, 'runs') },
    },
  },
  'agent-platform-mcps': {
    mcpServers: [
      { cluster: 'alpha', group: 'kubernetes', url },
      { cluster: 'beta', group: 'kubernetes', url },
      { cluster: 'alpha', group: 'prometheus', url },
      { cluster: 'alpha', group: 'capi', url },
      { cluster: 'alpha', group: 'github', name: 'github', url },
    ],
  },
  'agent-manager': { muster: { mcpServer: { url } } },
  'model-manager': { muster: { mcpServer: { url } } },
});

/** Five renders and two processes: 3 s, and much longer on a busy machine. */
const START_MS = 60_000;
const POLLING = { timeout: 60_000, interval: 50 };

let directory: string;
let configuration: string;
const started: NodeProcess[] = [];
let endpoint: URL;
let objects: readonly ManifestObject[];

/** The server as an older chart without the label renders it. */
const unlabelled = (server: ManifestObject): ManifestObject => ({
  ...server,
  metadata: { name: server.metadata.name, labels: { team: 'platform' } },
});

/** Returns the tools that a toolset in the header selects. */
const listedWith = async (toolset: string): Promise<readonly string[]> =>
  (await filterTools(endpoint, {}, toolset)).names;

const untilReady = async (): Promise<void> => {
  await vi.waitFor(
    async () => {
      expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    },
    { timeout: START_MS, interval: 50 },
  );
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platform-'));
  configuration = join(directory, 'configuration');
  const port = String(await findFreePort());
  objects = await fleetObjects(installation(`http://127.0.0.1:${port}/mcp`, directory));
  await writeConfigDirectory(configuration, objects);
  const isListening = (line: string): boolean => line.includes(port);
  started.push(await startNode([EVERYTHING, 'streamableHttp'], isListening, { PORT: port }));
  const gateway = await startNode(
    [CLI, 'serve', '--config-dir', configuration, '--host', '127.0.0.1', '--port', '0'],
    (line) => line.includes('"msg":"listening"'),
  );
  started.push(gateway);
  endpoint = new URL('/mcp', (JSON.parse(gateway.line) as { url: string }).url);
  await untilReady();
}, START_MS);

afterAll(async () => {
  await Promise.all(started.map(async ({ stop }) => await stop()));
  await rm(directory, { recursive: true });
});

const INFRASTRUCTURE = ['x_capi_', 'x_kubernetes_', 'x_prometheus_'].flatMap(toolsOf);
const AGENT_PLATFORM = [
  ...CORE_TOOLS,
  ...['x_agent-manager_', 'x_model-manager_'].flatMap(toolsOf),
];

describe('the presets of the fleet chart, before the servers of the platform’s charts', () => {
  requirement('2.3/infrastructure', () => {
    it('infrastructure selects the families of cluster management, cluster lifecycle and metrics', async () => {
      expect(await listedWith('preset:infrastructure')).toEqual(INFRASTRUCTURE);
    });
  });

  requirement('2.3/agent-platform', () => {
    it('agent-platform selects agent-manager, model-manager and the core tools of the gateway', async () => {
      expect(await listedWith('preset:agent-platform')).toEqual(AGENT_PLATFORM);
    });
  });

  it('exclude servers without a tool group, which exist without them', async () => {
    const github = toolsOf('x_github_');
    expect(await listedWith('server:github')).toEqual(github);
    expect(await listedWith('preset:full')).toEqual(
      [...AGENT_PLATFORM, ...INFRASTRUCTURE, ...github].toSorted(),
    );
  });

  it('combine with each other and with other selectors', async () => {
    const union = await listedWith('preset:infrastructure,preset:agent-platform');
    expect(union).toEqual([...AGENT_PLATFORM, ...INFRASTRUCTURE].toSorted());
    expect(await listedWith('preset:infrastructure, tool:x_github_echo')).toEqual(
      [...INFRASTRUCTURE, 'x_github_echo'].toSorted(),
    );
  });

  it('are listed by name with the built-in presets', async () => {
    const { presets } = await filterTools(endpoint, { include_presets: true });
    expect(presets).toEqual(['read-only', 'none', 'full', 'agent-platform', 'infrastructure']);
  });

  requirement('2.3/platform-label', () => {
    it('select only the label that the charts set on platform servers', () => {
      const groups = serversOf(objects).map(({ metadata }) => [
        metadata.name,
        metadata.labels?.['gateway.internal/tool-group'],
      ]);
      expect(groups.toSorted()).toEqual([
        ['agent-manager', 'agent-platform'],
        ['alpha-mcp-capi', 'infrastructure'],
        ['alpha-mcp-kubernetes', 'infrastructure'],
        ['alpha-mcp-prometheus', 'infrastructure'],
        ['beta-mcp-kubernetes', 'infrastructure'],
        ['github', undefined],
        ['model-manager', 'agent-platform'],
      ]);
    });

    it('match nothing when the servers have no label, which is not an error', async () => {
      await writeServers(configuration, serversOf(objects).map(unlabelled));
      await vi.waitFor(async () => {
        expect(
          await filterTools(endpoint, { toolset: ['preset:infrastructure', 'server:github'] }),
        ).toMatchObject({ names: toolsOf('x_github_'), unmatched: ['preset:infrastructure'] });
        // The files are taken over one by one.
        expect(await listedWith('preset:agent-platform')).toEqual(CORE_TOOLS);
      }, POLLING);
      expect(await listedWith('preset:infrastructure')).toEqual([]);
    });
  });
});

describe('the presets of the standalone chart', () => {
  requirement('2.3/standalone-presets', () => {
    it('equal those of the fleet chart: equal values give equal configuration', async () => {
      const { muster } = installation('', directory);
      const standalone = await render(
        'standalone',
        { muster },
        { release: 'gateway', namespace: 'agent-platform' },
      );
      if (!standalone.ok) throw new Error(standalone.error);
      const config = configurationOf(standalone.objects)['config.yaml'];
      expect(config).toContain('gateway.internal/tool-group=infrastructure');
      // Only the standalone chart names its own services as receivers of tokens.
      const shared = config?.replace(/^servers:\n(?: .*\n)+/mu, '');
      expect(shared).toBe(configurationOf(objects)['config.yaml']);
    });
  });
});
