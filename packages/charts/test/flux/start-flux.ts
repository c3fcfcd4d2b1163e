import { setTimeout as delay } from 'node:timers/promises';
import type { Release, Source } from './flux-objects.ts';
import { reconcileRelease } from './reconcile-release.ts';
import { reconcileSource, type FluxPlace } from './reconcile-source.ts';

const POLL_MS = 100;

const paths = (namespace: string) => ({
  sources: `/apis/source.toolkit.fluxcd.io/v1/namespaces/${namespace}/ocirepositories`,
  releases: `/apis/helm.toolkit.fluxcd.io/v2/namespaces/${namespace}/helmreleases`,
});

/** An object that changed or went away meanwhile is seen as it is in the next round. */
const retryLater = (error: unknown): void => {
  if (!(error instanceof Error && /: (404|409) /u.test(error.message))) throw error;
};

/** A running stand-in for the controllers of Flux. */
export interface Flux {
  /** Stops it until `resume`. Resolves when it does nothing any more. */
  readonly pause: () => Promise<void>;
  readonly resume: () => void;
  /** Ends it. @throws the error of a reconciliation */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a stand-in for the controllers of Flux in a namespace, which are in no module that can be built. It reads OCIRepositories and
 * HelmReleases, runs Helm with what they say, and writes their status.
 */
export const startFlux = (place: FluxPlace, namespace: string): Flux => {
  const { sources, releases } = paths(namespace);
  const list = async <T>(path: string): Promise<readonly T[]> =>
    ((await place.cluster.admin.expect('GET', path)) as { readonly items: readonly T[] }).items;
  // Items of a list have no kind of their own.
  const sourceOf = (one: Source): Source => ({
    ...one,
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'OCIRepository',
  });
  const releaseOf = (one: Release): Release => ({
    ...one,
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
  });
  const round = async (): Promise<void> => {
    for (const one of await list<Source>(sources)) await reconcileSource(place, sourceOf(one));
    const current = await list<Source>(sources);
    for (const one of await list<Release>(releases))
      await reconcileRelease(place, releaseOf(one), current);
  };
  let isEnded = false;
  const run = async (): Promise<void> => {
    while (!isEnded) {
      await round().catch(retryLater);
      await delay(POLL_MS);
    }
  };
  let running = run();
  running.catch(() => undefined);
  const pause = async (): Promise<void> => {
    isEnded = true;
    await running;
  };
  return {
    pause,
    resume: () => {
      isEnded = false;
      running = run();
      running.catch(() => undefined);
    },
    stop: pause,
  };
};
