import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster, TestRegistry } from '@gateway/test-peers';
import { runHelm } from '../../src/helm.ts';
import {
  holdObject,
  isDeleted,
  isObserved,
  releaseObject,
  writeStatus,
  type Source,
} from './flux-objects.ts';

/** Where the controllers run. */
export interface FluxPlace {
  readonly cluster: Cluster;
  readonly registry: TestRegistry;
  /** For charts and values. */
  readonly folder: string;
}

const READY = { type: 'Ready', status: 'True', reason: 'Succeeded' } as const;
const FAILED = { type: 'Ready', status: 'False', reason: 'OCIArtifactPullFailed' } as const;

/** Downloads the chart of a source and reports on it, as the source controller of Flux does. */
export const reconcileSource = async (place: FluxPlace, source: Source): Promise<void> => {
  const { cluster, registry, folder } = place;
  if (isDeleted(source)) return releaseObject(cluster, source);
  if (isObserved(source)) return;
  await holdObject(cluster, source);
  const { url, ref } = source.spec;
  const target = await mkdtemp(join(folder, 'chart-'));
  const pull = ['pull', url, '--version', ref.semver, '--destination', target];
  const { code, stdout, stderr } = await runHelm([...pull, '--ca-file', registry.authority]);
  if (code !== 0) {
    const message = `failed to pull ${url}: ${stderr.trim()}`;
    return writeStatus(cluster, source, { conditions: [{ ...FAILED, message }] });
  }
  const [file = ''] = await readdir(target);
  const [, version = ''] = /-(\d.*)\.tgz$/u.exec(file) ?? [];
  const [digest = ''] = /sha256:[0-9a-f]{64}/u.exec(stdout + stderr) ?? [];
  const artifact = {
    revision: `${version}@${digest}`,
    digest,
    url: `file://${join(target, file)}`,
    path: file,
    lastUpdateTime: new Date().toISOString(),
  };
  const message = `stored artifact for digest '${artifact.revision}'`;
  await writeStatus(cluster, source, { conditions: [{ ...READY, message }], artifact });
};
