import { resolve } from 'node:path';
import {
  openKubernetesReleases,
  openReleaseDirectory,
  type OpenedReleases,
} from '@gateway/release-store';
import type { Logger } from 'pino';
import type { ReleasesPlace } from '../cli/serve-arguments.ts';

/** Opens the place where releases are kept. */
export async function openReleases(
  place: ReleasesPlace,
  namespaces: readonly [string, ...string[]],
  logger: Logger,
): Promise<OpenedReleases> {
  const onWarning = (sentence: string): void => {
    logger.warn(sentence);
  };
  switch (place.kind) {
    case 'directory': {
      const directory = resolve(place.path);
      const opened = await openReleaseDirectory({ directory, namespaces, onWarning });
      return opened.ok
        ? opened
        : { ok: false, problem: `--store ${place.path}: ${opened.problem}` };
    }
    case 'kubernetes': {
      const { kubeconfig } = place;
      return openKubernetesReleases({
        namespaces,
        ...(kubeconfig !== undefined && { kubeconfig }),
        onWarning,
      });
    }
  }
}
