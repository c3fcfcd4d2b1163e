import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProvider, type TestProvider, findFreePort } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { render } from '../../../src/render.ts';
import { deploymentOf } from '../../harness/rendered-objects.ts';
import { accessTokenAt, upstreamClient } from '../../gateway/sign-in-at.ts';
import { serversOf, writeConfigDirectory } from '../../harness/fleet.ts';
import { metaToolText } from '../../harness/gateway-client.ts';
import { startNode, type NodeProcess } from '../../harness/node-process.ts';

const APPS = resolve(import.meta.dirname, '../../../../../apps');
const HOST = 'demo-agent-manager.demo-ns.svc.cluster.local';
const SECRET = 'secret of the gateway';
const ISSUER = 'https://login.example.com';
const POLLING = { timeout: 60_000, interval: 50 };

/** Stands for the DNS of the cluster: names of Services lead to the loopback address. */
const CLUSTER_DNS = `
  import dns from 'node:dns';
  import { syncBuiltinESMExports } from 'node:module';
  const local = (name) => (name.endsWith('.svc.cluster.local') ? '127.0.0.1' : name);
  const { lookup } = dns;
  const { lookup: promised } = dns.promises;
  dns.lookup = (name, ...rest) => lookup(local(name), ...rest);
  dns.promises.lookup = (name, ...rest) => promised(local(name), ...rest);
  syncBuiltinESMExports();
`;
const RESOLVING = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(CLUSTER_DNS)}`,
};

let folder: string;
let port: number;
let agentManagerPort: number;
let base: string;
let provider: TestProvider;
let agentManager: NodeProcess;

/** Renders the defaults with what sign-in needs. The port of the Service is that of the local agent-manager. */
const rendered = async (servers: object) => {
  const upstream = {
    issuer: provider.issuer,
    clientId: 'gateway',
    clientSecretFile: 'secrets/provider/client-secret',
  };
  const result = await render('standalone', {
    muster: {
      secretFiles: [{ secret: 'provider', keys: ['client-secret'] }],
      muster: {
        // The rendered MCPServers are files in this test.
        kubernetes: { enabled: false },
        stateDirectory: join(folder, 'state'),
        workflows: { executionsDirectory: join(folder, 'runs') },
        http: { publicUrl: base },
        auth: { mode: 'broker', broker: { upstream } },
        ...servers,
      },
    },
    'agent-manager': {
      service: { port: agentManagerPort },
      oauth: {
        enabled: true,
        issuer: ISSUER,
        publicUrl: 'https://agents.example.com',
        audiences: ['agent-manager'],
      },
      muster: { mcpServer: { auth: { requiredAudiences: ['agent-manager'] } } },
    },
  });
  if (!result.ok) throw new Error(result.error);
  return result.objects;
};

type Objects = Awaited<ReturnType<typeof rendered>>;

/** Starts agent-manager with its rendered arguments. Its releases are files, and its issuer is the provider of the test. */
const startAgentManager = (objects: Objects): Promise<NodeProcess> => {
  const part = objects.filter(({ metadata }) => metadata.name === 'demo-agent-manager');
  const local = new Map([
    ['0.0.0.0', ['127.0.0.1']],
    ['8080', [String(agentManagerPort)]],
    ['--kubernetes', ['--store', join(folder, 'releases')]],
    [ISSUER, [provider.issuer]],
  ]);
  const [container] = deploymentOf(part).template.spec.containers;
  const args = (container?.args ?? []).flatMap((arg) => local.get(arg) ?? [arg]);
  return startNode([join(APPS, 'agent-manager/dist/cli.js'), ...args], (line) =>
    line.includes('listening'),
  );
};

/** Starts the gateway with the rendered files, and signs alice in. The end of the test stops it. */
const startSignedIn = async (objects: Objects) => {
  const directory = join(folder, 'config');
  await writeConfigDirectory(
    directory,
    objects.filter(
      ({ kind, metadata }) => kind !== 'MCPServer' || metadata.name === 'agent-manager',
    ),
  );
  mkdirSync(join(directory, 'secrets/provider'), { recursive: true });
  writeFileSync(join(directory, 'secrets/provider/client-secret'), SECRET, { mode: 0o600 });
  const place = ['--host', '127.0.0.1', '--port', String(port)];
  const gateway = await startNode(
    [join(APPS, 'gateway/dist/cli.js'), 'serve', '--config-dir', directory, ...place],
    (line) => line.includes('"msg":"listening"'),
    RESOLVING,
  );
  onTestFinished(() => gateway.stop());
  const token = await accessTokenAt(base, 'alice');
  const endpoint = new URL('/mcp', base);
  return async (name: string, args: object, toolset?: string): Promise<string> =>
    metaToolText(endpoint, { name, args, toolset, token });
};

const LIST_AGENTS = { name: 'x_agent-manager_list_agents', arguments: {} };
const TOOLSET = 'server:agent-manager';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'token-hosts-'));
  mkdirSync(join(folder, 'releases'));
  [port, agentManagerPort] = [await findFreePort(), await findFreePort()];
  base = `http://127.0.0.1:${String(port)}`;
  provider = await startProvider({
    audiences: ['agent-manager'],
    clients: [upstreamClient(base, SECRET)],
  });
  agentManager = await startAgentManager(await rendered({}));
});
afterAll(async () => {
  await agentManager.stop();
  await provider.close();
  rmSync(folder, { recursive: true });
});

describe('a user who signed in to the standalone installation', () => {
  it('has the tools of agent-manager, which refuses requests without a token', async () => {
    const objects = await rendered({});
    expect(
      serversOf(objects).find(({ metadata }) => metadata.name === 'agent-manager')?.['spec'],
    ).toMatchObject({
      url: `http://${HOST}:${String(agentManagerPort)}/mcp`,
      auth: { forwardToken: true },
    });
    const direct = `http://127.0.0.1:${String(agentManagerPort)}/mcp`;
    expect((await fetch(direct, { method: 'POST', body: '{}' })).status).toBe(401);
    const ask = await startSignedIn(objects);
    await vi.waitFor(async () => {
      const found = await ask('filter_tools', { pattern: 'x_*' }, TOOLSET);
      expect(found).toContain('"x_agent-manager_list_agents"');
      expect(found).not.toContain('toolset_unmatched');
    }, POLLING);
    expect(JSON.parse(await ask('call_tool', LIST_AGENTS, TOOLSET))).toEqual({ agents: [] });
  });

  it('reads why agent-manager gets no token where the operator names no host', async () => {
    const ask = await startSignedIn(await rendered({ servers: { plainHttpTokenHosts: [] } }));
    const problem = `tokens are not sent over plain HTTP to "${HOST}": write an https:// URL in spec.url, or name the host in servers.plainHttpTokenHosts of config.yaml`;
    expect(await ask('call_tool', LIST_AGENTS, TOOLSET)).toBe(
      `tool "x_agent-manager_list_agents" is not available: server "agent-manager" is without tokens: ${problem}`,
    );
    const server = { name: 'core_mcpserver_get', arguments: { name: 'agent-manager' } };
    expect(JSON.parse(await ask('call_tool', server))).toMatchObject({
      status: {
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'TokensAllowed', status: 'False', message: problem }),
        ]) as unknown,
      },
    });
  });
});
