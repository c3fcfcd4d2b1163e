import { ENVIRONMENT, type ServiceArguments } from '@gateway/agent-manager-service';
import type { SkillSource } from '@gateway/agent-releases';
import { createGitSkillSource } from '@gateway/agent-releases';

/** The source of skills (`undefined` without repositories), or the reason why it cannot be created, which never repeats the token. */
export type SkillSourceOutcome =
  | { readonly ok: true; readonly skills: SkillSource | undefined }
  | { readonly ok: false; readonly problem: string };

/** Creates the source of skills from the options. It sends no request yet. */
export function openSkills(
  {
    skillsRepositories: repositories,
    skillsApiUrl: apiUrl,
  }: Pick<ServiceArguments, 'skillsRepositories' | 'skillsApiUrl'>,
  environment: Readonly<Record<string, string | undefined>>,
): SkillSourceOutcome {
  if (repositories === undefined) return { ok: true, skills: undefined };
  const configured = environment[ENVIRONMENT.skillsToken];
  const token = configured === '' ? undefined : configured;
  const created = createGitSkillSource({ repositories, apiUrl, token });
  return created.ok ? { ok: true, skills: created.value } : { ok: false, problem: created.error };
}
