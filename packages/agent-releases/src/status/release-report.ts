import type { AgentStatus } from '@gateway/agent-manager-client';
import { conditionsOf } from '../read/conditions.ts';
import { at, defined, listOf, numberOf, textOf } from '../values/lenient.ts';
import { releaseBlock } from '../read/release-block.ts';
import type { HelmRelease } from '../store/objects.ts';

/** The maximum number of past installations in a status. */
const MAX_HISTORY = 5;

type Report = AgentStatus['helmRelease'];

const historyEntry = (entry: unknown): Report['history'][number] =>
  defined({
    version: numberOf(at(entry, 'version')),
    chartVersion: textOf(at(entry, 'chartVersion')),
    status: textOf(at(entry, 'status')),
    lastDeployed: textOf(at(entry, 'lastDeployed')),
  });

/** Returns the report of a release. The history of Flux starts with the newest entry. */
export const releaseReport = (release: HelmRelease | undefined): Report => {
  const { ready, suspended, gitOpsOwned, deleting, lastAttemptedRevision } =
    release === undefined
      ? { ready: null, suspended: false, gitOpsOwned: false, deleting: false }
      : releaseBlock(release);
  return defined({
    exists: release !== undefined,
    ready,
    suspended,
    gitOpsOwned,
    deleting,
    conditions: [...conditionsOf(release)],
    history: listOf(at(release, 'status', 'history'))
      .slice(0, MAX_HISTORY)
      .map(historyEntry),
    lastAttemptedRevision,
  });
};
