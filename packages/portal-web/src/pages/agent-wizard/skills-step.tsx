import type { SkillList } from '@gateway/agent-manager-client';
import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
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

const Problem = ({ text }: { readonly text: string }): ReactNode => (
  <Alert color="red" role="alert">
    {text}
  </Alert>
);

const SkillChoice = ({
  skill: { name, description, repository },
  isChosen,
  onToggle,
}: {
  readonly skill: Skill;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}): ReactNode => (
  <Checkbox
    label={<bdi>{name}</bdi>}
    description={<bdi>{description ?? repository}</bdi>}
    checked={isChosen}
    onChange={onToggle}
  />
);

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
  const { data, error } = useSkills();
  const problem = problems.find('skills');
  if (error !== null) return <Problem text={error.message} />;
  if (data === undefined) return <LoadingSign label="Loading the skills" />;
  if (data.length === 0) return <Text>The configured repositories have no skill.</Text>;
  const toggle = (skill: SkillRef): void => {
    const others = form.skills.filter((chosen) => !isSame(chosen, skill));
    const wasChosen = others.length < form.skills.length;
    onForm({ ...form, skills: wasChosen ? others : [...others, skill] });
  };
  return (
    <Stack>
      {problem !== undefined && <Problem text={problem} />}
      {data.map((skill) => (
        <SkillChoice
          key={`${skill.repository} ${skill.path}`}
          skill={skill}
          isChosen={form.skills.some((chosen) => isSame(chosen, toSkillRef(skill)))}
          onToggle={() => toggle(toSkillRef(skill))}
        />
      ))}
    </Stack>
  );
};
