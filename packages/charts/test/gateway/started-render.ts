import { join, resolve } from 'node:path';
import type { ManifestObject } from '../../src/render.ts';
import { startNode, type NodeProcess } from '../harness/node-process.ts';
import { configVolume } from '../images/config-volume.ts';
import { configurationFiles } from './gateway-chart.ts';
import { deploymentOf } from '../harness/rendered-objects.ts';

/** The command line of the gateway. It is a build. */
const GATEWAY_CLI = resolve(import.meta.dirname, '../../../../apps/gateway/dist/cli.js');

/** The Secrets of a cluster: contents by name and key. */
export type ClusterSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef: {
      readonly name: string;
      readonly key: string;
      readonly optional?: boolean;
    };
  };
}

/** The environment of the container, with the values of Secrets. */
const environmentOf = (
  variables: readonly Variable[],
  secrets: ClusterSecrets,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    variables.flatMap(({ name, value, valueFrom }) => {
      const ref = valueFrom?.secretKeyRef;
      const found = ref === undefined ? value : secrets[ref.name]?.[ref.key];
      if (found !== undefined) return [[name, found]];
      if (ref?.optional === true) return [];
      throw new Error(`${name} has no value`);
    }),
  );

/**
 * Starts the gateway as the rendered Deployment does, with its files laid out as the kubelet lays them out, on the loopback address.
 *
 * @param folder an empty folder for the files
 */
export async function startRendered(
  objects: readonly ManifestObject[],
  folder: string,
  secrets: ClusterSecrets = {},
): Promise<NodeProcess> {
  const directory = join(folder, 'config');
  configVolume(directory)(configurationFiles(objects, secrets));
  const [container] = deploymentOf(objects).template.spec.containers;
  const args = (container?.args ?? [])
    .map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg))
    .map((arg) => (arg === '/etc/gateway' ? directory : arg));
  const environment = environmentOf((container?.['env'] ?? []) as readonly Variable[], secrets);
  const isListening = (line: string): boolean => line.includes('"listening"');
  return startNode([GATEWAY_CLI, ...args], isListening, environment);
}
