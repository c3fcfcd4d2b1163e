import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '@gateway/test-peers';
import { metaToolText } from '../harness/gateway-client.ts';
import { startNode, type NodeProcess } from '../harness/node-process.ts';
import { configVolume, type VolumeFiles } from '../images/config-volume.ts';
import { requirement } from '../requirement.ts';
import {
  configurationFiles,
  DEFAULT_OBJECTS,
  FULL_OBJECTS,
  gatewayObjects,
  SIGN_IN_OBJECTS,
} from './gateway-chart.ts';
import { deploymentOf } from '../harness/rendered-objects.ts';

const APP = resolve(import.meta.dirname, '../../../../apps/gateway');
const CLI = join(APP, 'dist/cli.js');
const MEMORY = join(APP, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');

const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'served-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Lays the files out as the kubelet does, and validates them with the gateway. */
const validated = async (name: string, files: VolumeFiles): Promise<string> => {
  const directory = join(folder, name);
  configVolume(directory)(files);
  const { stdout } = await run(process.execPath, [CLI, 'validate', '--config-dir', directory]);
  return stdout.trimEnd().split('\n').slice(-2).join(', ').replace(directory, '');
};

const document = (kind: string, name: string, spec: string): string =>
  `apiVersion: mcp.example.com/v1alpha1\nkind: ${kind}\nmetadata: { name: '${name}' }\nspec: ${spec}\n`;

const REMOTE = '{ type: sse, url: "http://a.example" }';

it('the real gateway finds no problem in what the chart renders', async () => {
  const given = {
    billing: {
      'billing.yaml': document('MCPServer', 'billing', REMOTE),
      'invoices.eu.yaml': document('MCPServer', 'invoices.eu', REMOTE),
    },
    'more-servers': { '1e3.yaml': document('MCPServer', '1e3', REMOTE) },
    'more-workflows': {
      'tidy.yaml': document('Workflow', 'tidy', '{ steps: [{ id: a, tool: core_events }] }'),
    },
  };
  const credentials = {
    provider: { 'client-secret': 'a' },
    'remote-dex': { 'client-id': 'gateway', 'client-secret': 'b' },
  };
  expect([
    await validated('defaults', configurationFiles(DEFAULT_OBJECTS)),
    await validated('full', configurationFiles(FULL_OBJECTS, given)),
    await validated('sign-in', configurationFiles(SIGN_IN_OBJECTS, credentials)),
  ]).toEqual([
    'ok       files: : 0 servers, 0 workflows, no problems',
    'ok       files: : 5 servers, 2 workflows, no problems',
    'ok       files: : 1 server, 0 workflows, no problems',
  ]);
});

describe('a gateway that serves what the chart renders', () => {
  let port: number;
  let healthPort: number;
  let gateway: NodeProcess;
  let write: (files: VolumeFiles) => void;

  const objectsWith = (labels: object, toolsetPresets: object) =>
    gatewayObjects(
      {
        fullnameOverride: 'gateway',
        muster: {
          health: { port: healthPort },
          http: { port, allowedHosts: ['given.example.com'] },
          stateDirectory: join(folder, 'state'),
          workflows: { executionsDirectory: join(folder, 'runs') },
          toolsetPresets,
        },
        mcpservers: {
          memory: {
            labels,
            spec: {
              type: 'stdio',
              command: process.execPath,
              args: [MEMORY],
              autoStart: true,
              envFrom: [
                { name: 'MEMORY_FILE_PATH', configMapKeyRef: { name: 'paths', key: 'memory' } },
              ],
            },
          },
        },
        configMapFiles: [{ configMap: 'paths', keys: ['memory'] }],
        ingress: { enabled: true, hosts: [{ host: 'gateway.example.com' }] },
      },
      { namespace: 'agent-platform' },
    );

  /** An answer to a request that names a host. */
  const ask = async (path: string, host: string, message?: object, at = port) => {
    const headers = {
      host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    };
    const method = message === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port: at, path, method, headers });
    sent.end(message === undefined ? undefined : JSON.stringify(message));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: await text(response) };
  };

  const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const metaTool = (name: string, args: object, toolset?: string): Promise<string> =>
    metaToolText(new URL(`http://127.0.0.1:${String(port)}/mcp`), { name, args, toolset });

  /** Calls the memory server. */
  const remember = (name: string): Promise<string> =>
    metaTool('call_tool', {
      name: 'x_memory_create_entities',
      arguments: { entities: [{ name, entityType: 'test', observations: [] }] },
    });

  /** The file of the memory server, as a ConfigMap names it. */
  const memoryFile = (name: string): string => join(folder, `${name}.jsonl`);

  /** Lays the files out with a ConfigMap of the cluster. */
  const writeWith = (objects: Parameters<typeof configurationFiles>[0], memory: string): void => {
    write(configurationFiles(objects, { paths: { memory: memoryFile(memory) } }));
  };

  const listedWith = (toolset: string): Promise<string> =>
    metaTool('filter_tools', { limit: 500 }, toolset);

  beforeAll(async () => {
    [port, healthPort] = [await findFreePort(), await findFreePort()];
    const objects = await objectsWith({}, {});
    write = configVolume(join(folder, 'config'));
    writeWith(objects, 'first');
    const args = deploymentOf(objects)
      .template.spec.containers[0]?.args.map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg))
      .map((arg) => (arg === '/etc/gateway' ? join(folder, 'config') : arg));
    gateway = await startNode([CLI, ...(args ?? [])], (line) => line.includes('"listening"'));
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it('answers probes and scrapers at addresses of pods on a port of their own, and no calls', async () => {
    const statusOf = async (path: string, host = '10.20.30.40:9464', message?: object) =>
      (await ask(path, host, message, healthPort)).status;
    await vi.waitFor(async () => {
      expect(await statusOf('/readyz')).toBe(200);
    }, 60_000);
    expect(await statusOf('/healthz')).toBe(200);
    const metrics = await ask('/metrics', '10.20.30.40:9464', undefined, healthPort);
    expect(metrics.status).toBe(200);
    expect(metrics.text).toContain('nodejs_eventloop_lag_p99_seconds ');
    expect(await statusOf('/metrics', 'evil.example.com')).toBe(403);
    expect(await statusOf('/mcp', 'gateway', PING)).toBe(404);
  });

  it('accepts the host names of the Service, the Ingress and the values, and no other', async () => {
    const statusOf = async (host: string) => (await ask('/mcp', host, PING)).status;
    const served = [
      'gateway',
      'gateway:8090',
      'gateway.agent-platform',
      'gateway.agent-platform.svc:80',
      'gateway.agent-platform.svc.cluster.local:8090',
      'gateway.example.com',
      'given.example.com:443',
      `127.0.0.1:${String(port)}`,
    ];
    const refused = ['10.20.30.40:8090', 'gateway.other', 'evil.example.com', 'a.gateway'];
    expect(await Promise.all(served.map(statusOf))).toEqual(served.map(() => 200));
    expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 403));
  });

  it('gives a server the value of a ConfigMap, and a changed one without a restart', async () => {
    for (const name of ['first', 'second']) {
      writeWith(await objectsWith({}, {}), name);
      await vi.waitFor(
        async () => {
          await remember(name);
          expect(readFileSync(memoryFile(name), 'utf8')).toContain(`"name":"${name}"`);
        },
        { timeout: 60_000, interval: 100 },
      );
    }
  });

  requirement('2.2/gateway-chart-path', () => {
    it('applies presets and labels of an upgrade without a restart', async () => {
      expect(await listedWith('preset:notes')).toContain('unknown preset');
      const include = [{ label: 'gateway.internal/tool-group=notes' }];
      const objects = await objectsWith(
        { 'gateway.internal/tool-group': 'notes' },
        { notes: { include } },
      );
      writeWith(objects, 'first');
      await vi.waitFor(
        async () => {
          expect(await listedWith('preset:notes')).toContain('x_memory_read_graph');
        },
        { timeout: 60_000, interval: 50 },
      );
      expect(await listedWith('preset:notes')).not.toContain('core_');
    });
  });
});
