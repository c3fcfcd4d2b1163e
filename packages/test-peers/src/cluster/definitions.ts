import type { ClusterObject } from './api-client.ts';
import { openCachedFolder, buildGoProgram, runProgram } from '../programs.ts';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ANY_OBJECT = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

const createDefinition = (kind: string, plural: string): ClusterObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.kagent.dev` },
  spec: {
    group: 'kagent.dev',
    scope: 'Namespaced',
    names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
    versions: [
      {
        name: 'v1alpha2',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: ANY_OBJECT, status: ANY_OBJECT } },
        },
      },
    ],
  },
});

/** The kinds of the agent runtime with any fields: its Go types are in no module that can be built. */
export const AGENT_RUNTIME_DEFINITIONS: readonly ClusterObject[] = [
  createDefinition('Agent', 'agents'),
  createDefinition('ModelConfig', 'modelconfigs'),
  createDefinition('RemoteMCPServer', 'remotemcpservers'),
];

const MODULE = fileURLToPath(new URL('../../definitions', import.meta.url));

const PACKAGES = [
  'github.com/fluxcd/helm-controller/api/v2',
  'github.com/fluxcd/source-controller/api/v1',
  'github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1',
];

/** The module that contains its definitions as files: its types have fields that its own generator removes. */
const GATEWAY_API = 'sigs.k8s.io/gateway-api';
const ROUTES = 'gateway.networking.k8s.io_httproutes.yaml';

/** Returns the folder of the definitions. They are generated once for each user, next to the program that generates them. */
const openDefinitionFolder = async (): Promise<string> => {
  const program = await buildGoProgram({
    name: 'controller-gen',
    module: MODULE,
    target: 'sigs.k8s.io/controller-tools/cmd/controller-gen',
  });
  return openCachedFolder(`${basename(program)}.definitions`, async (draft) => {
    const paths = PACKAGES.map((path) => `paths=${path}`);
    await runProgram(program, ['crd', ...paths, `output:crd:dir=${draft}`], { cwd: MODULE });
    const download = ['mod', 'download', '-json', GATEWAY_API];
    const { Dir: library } = JSON.parse(await runProgram('go', download, { cwd: MODULE })) as {
      readonly Dir: string;
    };
    await copyFile(join(library, 'config/crd/standard', ROUTES), join(draft, ROUTES));
  });
};

const readDefinitions = async (files: readonly string[]): Promise<readonly ClusterObject[]> => {
  const folder = await openDefinitionFolder();
  const texts = files.map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).map((text) => parse(text) as ClusterObject);
};

/**
 * Returns the CustomResourceDefinitions of HelmRelease and OCIRepository, generated from the Go types of Flux as Flux itself does.
 * @throws {PeerMissing} without Go
 */
export const readFluxDefinitions = (): Promise<readonly ClusterObject[]> =>
  readDefinitions([
    'helm.toolkit.fluxcd.io_helmreleases.yaml',
    'source.toolkit.fluxcd.io_ocirepositories.yaml',
  ]);

/**
 * Returns the CustomResourceDefinitions of HTTPRoute, as the Gateway API publishes it, and of ServiceMonitor and PrometheusRule, generated from the
 * Go types of the Prometheus operator.
 * @throws {PeerMissing} without Go
 */
export const readOperatorDefinitions = (): Promise<readonly ClusterObject[]> =>
  readDefinitions([
    ROUTES,
    'monitoring.coreos.com_servicemonitors.yaml',
    'monitoring.coreos.com_prometheusrules.yaml',
  ]);
