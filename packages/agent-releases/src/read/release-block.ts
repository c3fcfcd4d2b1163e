import type { Agent } from '@gateway/agent-manager-client';
import type { HelmRelease } from '../store/objects.ts';
import { chartRefOf } from './chart-ref.ts';
import { conditionsOf, holds } from './conditions.ts';
import { at, defined, listOf, textOf } from '../values/lenient.ts';
import { isDeleting, isSuspended, kustomizationOf } from './ownership.ts';

/** The release of an agent, in a response. */
export type ReleaseBlock = NonNullable<Agent['helmRelease']>;

/** Returns the state of a release in an agent. */
export const releaseBlock = (release: HelmRelease): ReleaseBlock => {
  const conditions = conditionsOf(release);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const [latest] = listOf(at(release, 'status', 'history'));
  return defined({
    name: textOf(at(release, 'metadata', 'name')) ?? '',
    namespace: textOf(at(release, 'metadata', 'namespace')) ?? '',
    ready: holds(conditions, 'Ready'),
    reason: ready?.reason,
    message: ready?.message,
    chartVersion: textOf(at(latest, 'chartVersion')),
    lastAttemptedRevision: textOf(at(release, 'status', 'lastAttemptedRevision')),
    suspended: isSuspended(release),
    gitOpsOwned: kustomizationOf(release) !== undefined,
    deleting: isDeleting(release),
    chartRef: chartRefOf(release),
  });
};
