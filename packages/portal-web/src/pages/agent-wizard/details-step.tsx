import { Autocomplete, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { MAX_NAME_CHARS } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';
import type { AgentForm } from './agent-form.ts';
import type { FieldProblems } from './field-problems.ts';
import { useChoices } from './use-choices.ts';

/** The properties of {@link DetailsStep}. */
export interface DetailsStepProps {
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
  readonly problems: FieldProblems;
  /** The name and namespace cannot be changed. */
  readonly isEdit: boolean;
  /** Problems of empty fields are shown too. */
  readonly isAttempted: boolean;
}

type Field = Exclude<keyof AgentForm, 'skills'>;

/** Returns the properties of the input of a field. */
const inputOf =
  ({ form, onForm, problems, isAttempted }: DetailsStepProps) =>
  (field: Field) => ({
    value: form[field],
    error: isAttempted || form[field] !== '' ? problems.of(field) : undefined,
    onChange: (value: string | null) => onForm({ ...form, [field]: value ?? '' }),
  });

const typed = ({ onChange, ...props }: ReturnType<ReturnType<typeof inputOf>>) => ({
  ...props,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onChange(currentTarget.value),
});

const Identity = (props: DetailsStepProps): ReactNode => {
  const field = inputOf(props);
  const { namespaces } = useChoices(props.form.namespace);
  if (props.isEdit) return null;
  return (
    <>
      <TextInput
        label="Name"
        description="Lower case letters, digits and hyphens. It cannot be changed later."
        withAsterisk
        maxLength={MAX_NAME_CHARS}
        autoComplete="off"
        spellCheck={false}
        {...typed(field('name'))}
      />
      {namespaces.length > 1 && (
        <Select
          label="Namespace"
          placeholder="The default one"
          clearable
          data={[...namespaces]}
          {...field('namespace')}
        />
      )}
    </>
  );
};

const Texts = (props: DetailsStepProps): ReactNode => {
  const field = inputOf(props);
  return (
    <>
      <TextInput label="Display name" autoComplete="off" {...typed(field('displayName'))} />
      <Textarea
        label="Description"
        description="What the agent is for"
        autosize
        minRows={2}
        maxRows={6}
        {...typed(field('description'))}
      />
      <Textarea
        label="System message"
        description="Instructions that the model receives before every conversation"
        autosize
        minRows={4}
        maxRows={16}
        {...typed(field('systemMessage'))}
      />
    </>
  );
};

/** The step of the wizard with the fields of an agent. */
export const DetailsStep = (props: DetailsStepProps): ReactNode => {
  const field = inputOf(props);
  const { models } = useChoices(props.form.namespace);
  return (
    <Stack maw={720}>
      <Identity {...props} />
      <Autocomplete
        label="Model"
        description="A model configuration of the namespace"
        withAsterisk
        data={[...models]}
        {...field('modelConfig')}
      />
      <Texts {...props} />
      <Select
        label="Runtime"
        placeholder="The default one"
        clearable
        data={['go', 'python']}
        {...field('runtime')}
      />
      <TextInput
        label="Icon"
        description="https:// address of an image"
        autoComplete="off"
        {...typed(field('iconUrl'))}
      />
    </Stack>
  );
};
