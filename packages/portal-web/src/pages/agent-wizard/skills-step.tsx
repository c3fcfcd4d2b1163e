import { Alert, Checkbox, Loader, Stack, Text } from '@mantine/core';
import type { SkillList } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import type { AgentForm, SkillRef } from './agent-form.ts';
import { useSkills } from './use-choices.ts';

type Skill = SkillList['skills'][number];

const refOf = ({ name, repository, ref, path }: Skill): SkillRef => ({
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
}: {
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
}): ReactNode => {
  const { data, error } = useSkills();
  if (error !== null)
    return (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  if (data === undefined) return <Loader aria-label="Loading the skills" />;
  if (data.length === 0) return <Text>The configured repositories have no skill.</Text>;
  const toggle = (skill: SkillRef): void => {
    const others = form.skills.filter((chosen) => !isSame(chosen, skill));
    const wasChosen = others.length < form.skills.length;
    onForm({ ...form, skills: wasChosen ? others : [...others, skill] });
  };
  return (
    <Stack>
      {data.map((skill) => (
        <Checkbox
          key={`${skill.repository} ${skill.path}`}
          label={<bdi>{skill.name}</bdi>}
          description={<bdi>{skill.description ?? skill.repository}</bdi>}
          checked={form.skills.some((chosen) => isSame(chosen, refOf(skill)))}
          onChange={() => toggle(refOf(skill))}
        />
      ))}
    </Stack>
  );
};
