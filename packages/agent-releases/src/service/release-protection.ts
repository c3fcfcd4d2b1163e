import { REFUSALS, type Refusal } from '@gateway/agent-manager-client';
import { isSuspended, kustomizationOf } from '../read/ownership.ts';
import type { HelmRelease } from '../store/objects.ts';

/** Returns why a release can be changed or deleted only with `force`: Git would revert the change, or Flux would ignore it. */
export const releaseProtection = (release: HelmRelease): Refusal | undefined => {
  const kustomization = kustomizationOf(release);
  if (kustomization !== undefined)
    return REFUSALS.releaseFromGit({ ...release.metadata, kustomization });
  return isSuspended(release) ? REFUSALS.releaseSuspended(release.metadata) : undefined;
};
