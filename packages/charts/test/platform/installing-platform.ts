import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startOwnCluster,
  startRegistry,
  type Cluster,
  type TestRegistry,
} from '@gateway/test-peers';
import { runHelm } from '../../src/helm.ts';
import { packageCharts } from '../../src/assemble-charts.ts';
import { startFlux, type Flux } from '../flux/start-flux.ts';
import { defineRenderedKinds } from '../harness/applied-objects.ts';
import { AGENTS, startPlatform, type Platform } from './platform.ts';

const INSTALLER = 'agent-installer';
const RBAC = 'rbac.authorization.k8s.io';

/** A platform whose agents are installed from a registry. */
export interface Installing {
  readonly cluster: Cluster;
  readonly platform: Platform;
  readonly flux: Flux;
  readonly stop: () => Promise<void>;
}

/** Grants the account with which Flux installs agents what it needs: Helm stores its releases in Secrets. */
const grantInstaller = async ({ admin }: Cluster): Promise<void> => {
  const metadata = { namespace: AGENTS, name: INSTALLER };
  const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'];
  const rules = [
    { apiGroups: [''], resources: ['secrets'], verbs },
    { apiGroups: ['kagent.dev'], resources: ['agents'], verbs },
  ];
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  const roleRef = { apiGroup: RBAC, kind: 'Role', name: INSTALLER };
  const apiVersion = `${RBAC}/v1`;
  await admin.apply({ apiVersion, kind: 'Role', metadata, rules });
  await admin.apply({ apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects });
};

const pushAgentChart = async (registry: TestRegistry, folder: string): Promise<void> => {
  const packaged = await packageCharts(join(folder, 'packages'));
  const { file = '' } = packaged.find(({ chart }) => chart === 'agent') ?? {};
  const to = `oci://${registry.host}/charts`;
  const { code, stderr } = await runHelm(['push', file, to, '--ca-file', registry.authority]);
  if (code !== 0) throw new Error(stderr);
};

/** Starts the platform with a model `small`, a registry that has the agent chart, and the stand-in for Flux. */
export const startInstalling = async (): Promise<Installing> => {
  const folder = await mkdtemp(join(tmpdir(), 'installing-'));
  const registry = await startRegistry();
  await pushAgentChart(registry, folder);
  const own = await startOwnCluster();
  const { cluster } = own;
  await defineRenderedKinds(cluster);
  const platform = await startPlatform({
    cluster,
    folder,
    agentManager: {
      agentChart: { url: `oci://${registry.host}/charts/agent` },
      flux: { serviceAccountName: INSTALLER },
    },
  });
  await grantInstaller(cluster);
  const metadata = { namespace: AGENTS, name: 'small' };
  await cluster.admin.apply({ apiVersion: 'kagent.dev/v1alpha2', kind: 'ModelConfig', metadata });
  const flux = startFlux({ cluster, registry, folder }, AGENTS);
  return {
    cluster,
    platform,
    flux,
    stop: async () => {
      await flux.stop();
      await platform.stop();
      await own.close();
      await registry.close();
      await rm(folder, { recursive: true });
    },
  };
};
