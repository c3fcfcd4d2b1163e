import { REFUSALS, type Refusal } from '@gateway/agent-manager-client';
import { isSuspended, kustomizationOf } from '../read/ownership.ts';
import type { HelmRelease } from '../store/objects.ts';

/** Why a release is changed or deleted with `force` only: a Git repository would undo it, or Flux would not act on it. */
export const heldRelease = (release: HelmRelease): Refusal | undefined => {
  const kustomization = kustomizationOf(release);
  if (kustomization !== undefined)
    return REFUSALS.releaseFromGit({ ...release.metadata, kustomization });
  return isSuspended(release) ? REFUSALS.releaseSuspended(release.metadata) : undefined;
};
