import type { ReleaseStoreKind } from '@gateway/agent-manager-service';
import { resolve } from 'node:path';
import {
  openKubernetesReleases,
  openReleaseDirectory,
  type OpenedReleases,
} from '@gateway/agent-releases';
import type { Logger } from 'pino';

/** Opens the store of releases. */
export async function openReleases(
  kind: ReleaseStoreKind,
  namespaces: readonly [string, ...string[]],
  logger: Logger,
): Promise<OpenedReleases> {
  const onWarning = (sentence: string): void => {
    logger.warn(sentence);
  };
  switch (kind.kind) {
    case 'directory': {
      const directory = resolve(kind.path);
      const opened = await openReleaseDirectory({ directory, namespaces, onWarning });
      return opened.ok ? opened : { ok: false, problem: `--store ${kind.path}: ${opened.problem}` };
    }
    case 'kubernetes': {
      const { kubeconfig } = kind;
      return openKubernetesReleases({
        namespaces,
        ...(kubeconfig !== undefined && { kubeconfig }),
        onWarning,
      });
    }
  }
}
