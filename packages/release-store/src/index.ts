export { openCallerReleases } from './kubernetes/open-caller-releases.ts';
export { openKubernetesReleases } from './kubernetes/open-kubernetes-releases.ts';
export { openReleaseDirectory } from './directory/open-release-directory.ts';
export type { CallerReleases, OpenedReleases } from './results/opened-releases.ts';
export { createGitSkillSource } from './skills/git-skill-source.ts';
