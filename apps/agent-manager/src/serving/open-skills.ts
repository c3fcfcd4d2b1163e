import type { SkillSource } from '@gateway/agent-releases';
import { createGitSkillSource } from '@gateway/release-store';
import { ENVIRONMENT } from '../cli/environment.ts';
import type { ServeArguments } from '../cli/serve-arguments.ts';

/** Where skills are looked for, nowhere without repositories, or why they cannot be looked for. The token is never repeated. */
export type OpenedSkills =
  | { readonly ok: true; readonly skills: SkillSource | undefined }
  | { readonly ok: false; readonly problem: string };

/** Makes the source of skills that the command line names. Nothing is asked yet. */
export function openSkills(
  {
    skillsRepositories: repositories,
    skillsApiUrl: apiUrl,
  }: Pick<ServeArguments, 'skillsRepositories' | 'skillsApiUrl'>,
  environment: Readonly<Record<string, string | undefined>>,
): OpenedSkills {
  if (repositories === undefined) return { ok: true, skills: undefined };
  const given = environment[ENVIRONMENT.skillsToken];
  const token = given === '' ? undefined : given;
  const created = createGitSkillSource({ repositories, apiUrl, token });
  return created.ok ? { ok: true, skills: created.source } : created;
}
