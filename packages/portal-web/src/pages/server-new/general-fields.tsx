import { Fieldset, Group, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerDraft } from './server-draft.ts';
import type { DraftProps } from './transport-fields.tsx';

type TextField = 'name' | 'description' | 'family' | 'instanceArg';

const Field = ({
  draft,
  onChange,
  field,
  ...props
}: DraftProps & {
  readonly field: TextField;
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
}): ReactNode => (
  <TextInput
    {...props}
    value={draft[field]}
    onChange={({ currentTarget }) => {
      const next: ServerDraft = { ...draft, [field]: currentTarget.value };
      onChange(next);
    }}
  />
);

/** The fields that every server has. */
export const GeneralFields = (props: DraftProps): ReactNode => (
  <>
    <Field
      {...props}
      field="name"
      label="Name"
      description="The names of its tools contain it"
      required
    />
    <Field {...props} field="description" label="Description" />
    <Fieldset legend="Family">
      <Group align="flex-end" gap="xs">
        <Field {...props} field="family" label="Family" />
        <Field {...props} field="instanceArg" label="Argument that chooses the server" />
      </Group>
    </Fieldset>
    <Switch
      label="Start it now and with the gateway"
      checked={props.draft.autoStart}
      onChange={({ currentTarget }) =>
        props.onChange({ ...props.draft, autoStart: currentTarget.checked })
      }
    />
  </>
);
