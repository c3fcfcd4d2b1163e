import { MAX_NAME_CHARS } from '@gateway/agent-manager-client';
import { Autocomplete, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { AgentForm } from './agent-form.ts';
import { useChoices } from './choices.ts';
import type { FieldProblems } from './field-problems.ts';

interface DetailsStepProps {
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
  readonly problems: FieldProblems;
  /** The name and namespace cannot be changed. */
  readonly isEdit: boolean;
  /** How often the person has tried to continue. After the first time problems of empty fields are shown too. */
  readonly attempts: number;
}

type Field = Exclude<keyof AgentForm, 'skills'>;

/** Returns the properties of the input of a field. */
const toInputProps =
  ({ form, onForm, problems, attempts }: DetailsStepProps) =>
  (field: Field) => ({
    value: form[field],
    error: attempts > 0 || form[field] !== '' ? problems.find(field) : undefined,
    onChange: (value: string | null) => onForm({ ...form, [field]: value ?? '' }),
  });

const toTextInputProps = ({ onChange, ...props }: ReturnType<ReturnType<typeof toInputProps>>) => ({
  ...props,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onChange(currentTarget.value),
});

const Identity = (props: DetailsStepProps): ReactNode => {
  const field = toInputProps(props);
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
        {...toTextInputProps(field('name'))}
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
  const field = toInputProps(props);
  return (
    <>
      <TextInput
        label="Display name"
        autoComplete="off"
        {...toTextInputProps(field('displayName'))}
      />
      <Textarea
        label="Description"
        description="What the agent is for"
        autosize
        minRows={2}
        maxRows={6}
        {...toTextInputProps(field('description'))}
      />
      <Textarea
        label="System message"
        description="Instructions that the model receives before every conversation"
        autosize
        minRows={4}
        maxRows={16}
        {...toTextInputProps(field('systemMessage'))}
      />
    </>
  );
};

/** Returns what to attach to the fields: the first one with a problem receives the focus after an attempt to continue. */
const useProblemFocus = (attempts: number): RefObject<HTMLDivElement | null> => {
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempts === 0) return;
    fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts]);
  return fields;
};

/** The step of the wizard with the fields of an agent. */
export const DetailsStep = (props: DetailsStepProps): ReactNode => {
  const field = toInputProps(props);
  const { models } = useChoices(props.form.namespace);
  const fields = useProblemFocus(props.attempts);
  return (
    <Stack maw={720} ref={fields}>
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
        {...toTextInputProps(field('iconUrl'))}
      />
    </Stack>
  );
};
