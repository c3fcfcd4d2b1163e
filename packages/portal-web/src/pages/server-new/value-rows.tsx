import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { DraftValue, ValueSource } from './server-draft.ts';

const SOURCES: readonly { readonly value: ValueSource; readonly label: string }[] = [
  { value: 'text', label: 'Value' },
  { value: 'secret', label: 'Secret' },
  { value: 'configmap', label: 'ConfigMap' },
];

const sourceOf = (value: string): ValueSource =>
  SOURCES.find((source) => source.value === value)?.value ?? 'text';

const Reference = ({
  row,
  onChange,
}: {
  readonly row: DraftValue;
  readonly onChange: (row: DraftValue) => void;
}): ReactNode => (
  <>
    {row.source !== 'text' && (
      <TextInput
        label={row.source === 'secret' ? 'Secret' : 'ConfigMap'}
        value={row.object}
        onChange={({ currentTarget }) => onChange({ ...row, object: currentTarget.value })}
      />
    )}
    <TextInput
      label={row.source === 'text' ? 'Value' : 'Key'}
      value={row.value}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
    />
  </>
);

const Row = ({
  row,
  onChange,
  onRemove,
}: {
  readonly row: DraftValue;
  readonly onChange: (row: DraftValue) => void;
  readonly onRemove: () => void;
}): ReactNode => (
  <Group align="flex-end" gap="xs">
    <TextInput
      label="Name"
      value={row.name}
      onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
    />
    <NativeSelect
      label="From"
      data={[...SOURCES]}
      value={row.source}
      onChange={({ currentTarget }) => onChange({ ...row, source: sourceOf(currentTarget.value) })}
    />
    <Reference row={row} onChange={onChange} />
    <CloseButton aria-label={`Remove ${row.name}`} onClick={onRemove} mb={4} />
  </Group>
);

/** Headers or environment variables: each is a value, or the key of a Secret or ConfigMap. */
export const ValueRows = ({
  label,
  rows,
  onChange,
}: {
  readonly label: string;
  readonly rows: readonly DraftValue[];
  readonly onChange: (rows: readonly DraftValue[]) => void;
}): ReactNode => {
  const id = Math.max(0, ...rows.map((row) => row.id)) + 1;
  const empty: DraftValue = { id, name: '', source: 'text', value: '', object: '' };
  return (
    <Fieldset legend={label}>
      <Stack gap="sm" align="flex-start">
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            onChange={(next) => onChange(rows.map((one) => (one.id === row.id ? next : one)))}
            onRemove={() => onChange(rows.filter((one) => one.id !== row.id))}
          />
        ))}
        <Button variant="default" size="xs" onClick={() => onChange([...rows, empty])}>
          Add
        </Button>
      </Stack>
    </Fieldset>
  );
};
