import type { SkillList } from '@gateway/agent-manager-client';
import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loaded } from '../../display/loading.tsx';
import type { AgentForm, SkillRef } from './agent-form.ts';
import { useSkills } from './choices.ts';
import type { FieldProblems } from './field-problems.ts';

type Skill = SkillList['skills'][number];

const toSkillRef = ({ name, repository, ref, path }: Skill): SkillRef => ({
  url: repository,
  ref,
  name,
  ...(path !== '' && { path }),
});

const isSame = (left: SkillRef, right: SkillRef): boolean =>
  left.url === right.url && (left.path ?? '') === (right.path ?? '');

/** The step of the wizard with the skills that an agent loads. */
export const SkillsStep = ({
  form,
  onForm,
  problems,
}: {
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
  readonly problems: FieldProblems;
}): ReactNode => {
  const problem = problems.find('skills');
  const toggle = (skill: SkillRef): void => {
    const others = form.skills.filter((chosen) => !isSame(chosen, skill));
    const wasChosen = others.length < form.skills.length;
    onForm({ ...form, skills: wasChosen ? others : [...others, skill] });
  };
  return (
    <Loaded query={useSkills()} label="Loading the skills">
      {({ skills }) =>
        skills.length === 0 ? (
          <Text>The configured repositories have no skill.</Text>
        ) : (
          <Stack>
            {problem !== undefined && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            {skills.map((skill) => (
              <Checkbox
                key={`${skill.repository} ${skill.path}`}
                label={<bdi>{skill.name}</bdi>}
                description={<bdi>{skill.description ?? skill.repository}</bdi>}
                checked={form.skills.some((chosen) => isSame(chosen, toSkillRef(skill)))}
                onChange={() => toggle(toSkillRef(skill))}
              />
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
};
