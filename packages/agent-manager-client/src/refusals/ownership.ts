import type { ObjectFacts } from './existence.ts';
import { refusal, type Refusal } from './refusal.ts';
import { formatShown, formatObject } from './shown.ts';

/** Refusals of changes to objects with another owner, which require `force` or are not possible. @spec §4.4 */
export const OWNERSHIP_REFUSALS = {
  bareAgent: (agent: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `Agent ${formatObject(agent)} is a bare CR with no HelmRelease behind it; agent-manager only writes HelmRelease values (recreate it with create_agent, or delete it with force)`,
    ),
  releaseFromGit: (release: ObjectFacts & { readonly kustomization: string }): Refusal =>
    refusal(
      'conflict',
      `HelmRelease ${formatObject(release)} is applied by Flux Kustomization ${formatShown(release.kustomization)}: its desired state lives in git, a live write would be undone. Change it in the GitOps repository, or pass force to write anyway`,
    ),
  releaseSuspended: (release: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `HelmRelease ${formatObject(release)} is suspended: Flux will not act on a change. Resume it first, or pass force`,
    ),
  /** Another client changed or deleted the release between read and write. */
  releaseChanged: (release: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `HelmRelease ${formatObject(release)} has changed since it was read; read the agent again and repeat the change`,
    ),
} as const;
