import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Cluster } from '@gateway/test-peers';
import type { ManifestObject } from '../../src/render.ts';
import { startRendered } from '../gateway/started-render.ts';
import { applyObjects, createNamespaces } from '../harness/applied-objects.ts';
import { findFreePort } from '@gateway/test-peers';
import { startNode, type NodeProcess } from '../harness/node-process.ts';
import { deploymentOf, renderedObjects } from '../harness/rendered-objects.ts';

const APPS = resolve(import.meta.dirname, '../../../../apps');
const AGENT_MANAGER_CLI = join(APPS, 'agent-manager/dist/cli.js');
const EVERYTHING = join(
  APPS,
  'gateway/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

export const NAMESPACE = 'agent-platform';
/** The managed namespace of agents. */
export const AGENTS = 'kagent';

/** The standalone chart, applied to a cluster and started as processes. */
export interface Platform {
  readonly objects: readonly ManifestObject[];
  /** The endpoint of the gateway. */
  readonly endpoint: URL;
  /** agent-manager, without a gateway in front of it. */
  readonly agentManager: URL;
  readonly stop: () => Promise<void>;
}

/** Where a platform runs. */
export interface PlatformPlace {
  readonly cluster: Cluster;
  /** An empty folder. */
  readonly folder: string;
  /** Further values of agent-manager. */
  readonly agentManager?: object;
}

interface Ports {
  readonly gateway: number;
  readonly health: number;
  readonly servers: number;
  readonly agentManager: number;
}

const localUrl = (port: number): string => `http://127.0.0.1:${port.toString()}/mcp`;

/** Values of an installation on the loopback address. A sample server stands for the servers that are not in this repository. */
const valuesOf = (ports: Ports, { folder, agentManager }: PlatformPlace) => {
  const url = localUrl(ports.servers);
  return {
    muster: {
      muster: {
        kubernetes: {
          namespaces: [NAMESPACE],
          // A pod has both from its account.
          namespace: NAMESPACE,
          kubeconfig: join(folder, 'gateway.kubeconfig'),
        },
        http: { port: ports.gateway },
        health: { port: ports.health },
        coreTools: { writes: 'all' },
        stateDirectory: join(folder, 'state'),
        workflows: { maxExecutions: 1 },
      },
      rbac: { secretNames: ['wiki-token'], configMapNames: ['wiki-settings'] },
    },
    'agent-platform-mcps': {
      mcpServers: [
        { cluster: 'beta', group: 'kubernetes', url },
        { cluster: 'alpha', group: 'prometheus', url },
        { cluster: 'alpha', group: 'capi', url },
        { cluster: 'alpha', group: 'github', name: 'github', url },
        {
          cluster: 'alpha',
          group: 'wiki',
          name: 'wiki',
          url,
          headersFrom: [
            { name: 'X-Api-Key', secretKeyRef: { name: 'wiki-token', key: 'token' } },
            { name: 'X-Region', configMapKeyRef: { name: 'wiki-settings', key: 'region' } },
          ],
        },
      ],
    },
    'mcp-kubernetes': { mcpServer: { managementCluster: 'alpha', url } },
    components: { 'model-manager': { enabled: true } },
    'agent-manager': {
      kagent: { namespace: AGENTS },
      ...agentManager,
      muster: { mcpServer: { url: localUrl(ports.agentManager) } },
    },
    'model-manager': { muster: { mcpServer: { url } } },
  };
};

/** The objects of a part. */
const partOf = (objects: readonly ManifestObject[], part: string): readonly ManifestObject[] =>
  objects.filter(
    ({ metadata }) =>
      metadata.labels?.['app.kubernetes.io/name'] === part || metadata.name.endsWith(part),
  );

/** Returns the name of the account of a part. */
export const accountOf = (objects: readonly ManifestObject[], part: string): string =>
  String(deploymentOf(partOf(objects, part)).template.spec['serviceAccountName']);

/** Returns the path of a kubeconfig of the account of a part. */
const kubeconfigOf = async (
  cluster: Cluster,
  objects: readonly ManifestObject[],
  part: string,
): Promise<string> => {
  const token = await cluster.serviceAccountToken(NAMESPACE, accountOf(objects, part));
  return cluster.writeKubeconfig({ token });
};

const startAgentManager = async (
  objects: readonly ManifestObject[],
  kubeconfig: string,
  port: number,
): Promise<NodeProcess> => {
  const [container] = deploymentOf(partOf(objects, 'agent-manager')).template.spec.containers;
  const args = (container?.args ?? [])
    .map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg))
    .map((arg) => (arg === '8080' ? port.toString() : arg));
  const command = [AGENT_MANAGER_CLI, ...args, '--kubeconfig', kubeconfig];
  return startNode(command, (line) => line.includes('listening'));
};

/** Applies the standalone chart, and starts its gateway, its agent-manager and a sample server, each with the rendered arguments and account. */
export const startPlatform = async (place: PlatformPlace): Promise<Platform> => {
  const { cluster } = place;
  const ports: Ports = {
    gateway: await findFreePort(),
    health: await findFreePort(),
    servers: await findFreePort(),
    agentManager: await findFreePort(),
  };
  const release = { release: 'platform', namespace: NAMESPACE };
  const args = ['--api-versions', 'kagent.dev/v1alpha2'];
  const objects = await renderedObjects('standalone', valuesOf(ports, place), { ...release, args });
  await createNamespaces(cluster, objects, NAMESPACE);
  const refusals = await applyObjects(cluster, objects, { namespace: NAMESPACE });
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
  const port = ports.servers.toString();
  const processes = [
    startNode([EVERYTHING, 'streamableHttp'], (line) => line.includes(port), { PORT: port }),
    startAgentManager(
      objects,
      await kubeconfigOf(cluster, objects, 'agent-manager'),
      ports.agentManager,
    ),
    startGateway(objects, place),
  ];
  const started = await Promise.all(processes);
  return {
    objects,
    endpoint: new URL(localUrl(ports.gateway)),
    agentManager: new URL(localUrl(ports.agentManager)),
    stop: async () => {
      await Promise.all(started.map(({ stop }) => stop()));
    },
  };
};

const startGateway = async (
  objects: readonly ManifestObject[],
  { cluster, folder }: PlatformPlace,
): Promise<NodeProcess> => {
  await copyFile(
    await kubeconfigOf(cluster, objects, 'gateway'),
    join(folder, 'gateway.kubeconfig'),
  );
  return startRendered(partOf(objects, 'gateway'), folder);
};
