import type { Agent } from '@gateway/agent-manager-client';

type SkillRef = NonNullable<NonNullable<Agent['skills']>['gitRefs']>[number];

/** Returns the name of a skill in a Git repository, and where it is. */
export const skillText = ({ url, path, ref, name }: SkillRef): string =>
  `${name ?? path ?? url} (${[url, path, ref].filter(Boolean).join(' · ')})`;
