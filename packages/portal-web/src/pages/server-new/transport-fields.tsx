import {
  Alert,
  Button,
  CloseButton,
  Code,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { Failure } from '../../display/loading.tsx';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import {
  applyDetection,
  type Detection,
  type DraftAuth,
  type DraftValue,
  formatDetection,
  parseDetection,
  type ServerDraft,
  toTextValues,
  type ValueSource,
} from './server-draft.ts';

/** Returns the properties of a text input that changes a field of a draft. */
export const toInputProps = <D extends { readonly [K in F]: string }, F extends string>(
  field: F,
  draft: D,
  onChange: (draft: D) => void,
) => ({
  value: draft[field],
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onChange({ ...draft, [field]: currentTarget.value }),
});

const SOURCES: readonly { readonly value: ValueSource; readonly label: string }[] = [
  { value: 'text', label: 'Value' },
  { value: 'secret', label: 'Secret' },
  { value: 'configmap', label: 'ConfigMap' },
];

const toSource = (value: string): ValueSource =>
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
        {...toInputProps('object', row, onChange)}
      />
    )}
    <TextInput
      label={row.source === 'text' ? 'Value' : 'Key'}
      autoComplete="off"
      {...toInputProps('value', row, onChange)}
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
    <TextInput label="Name" {...toInputProps('name', row, onChange)} />
    <NativeSelect
      label="From"
      data={[...SOURCES]}
      value={row.source}
      onChange={({ currentTarget }) => onChange({ ...row, source: toSource(currentTarget.value) })}
    />
    <Reference row={row} onChange={onChange} />
    <CloseButton aria-label={`Remove ${row.name}`} onClick={onRemove} mb={4} />
  </Group>
);

/** Headers or environment variables: each is a value, or the key of a Secret or ConfigMap. */
const ValueRows = ({
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

const useDetection = (onFound: (found: Detection) => void) => {
  const { gateway } = useBackend();
  return useMutation({
    mutationFn: async ({ url, values }: ServerDraft) => {
      const headers = toTextValues(values.filter(({ name }) => name !== ''));
      const args = { url: url.trim(), ...(Object.keys(headers).length > 0 && { headers }) };
      return parseDetection(await callCoreTool(gateway, 'core_mcpserver_detect', args));
    },
    onSuccess: onFound,
  });
};

const Outcome = ({
  detection: { data, error },
}: {
  readonly detection: ReturnType<typeof useDetection>;
}): ReactNode => (
  <>
    {data !== undefined && (
      <Alert color={data.isReachable ? 'teal' : 'orange'} role="status">
        <bdi>{formatDetection(data)}</bdi>
      </Alert>
    )}
    <Failure error={error} />
    {(data?.isReachable === false || error !== null) && (
      <Text size="sm">
        Detect asks private and loopback addresses only with <Code>detect.allowPrivate: true</Code>{' '}
        in the configuration of the gateway. Create does not need it: choose the transport yourself.
      </Text>
    )}
  </>
);

/** The address of a remote server, and a command that finds out what answers there. */
const DetectServer = ({
  draft,
  onChange,
}: {
  readonly draft: ServerDraft;
  readonly onChange: (draft: ServerDraft) => void;
}): ReactNode => {
  const detection = useDetection((found) => onChange(applyDetection(draft, found)));
  return (
    <>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Address"
          type="url"
          placeholder="https://mcp.example.com/mcp"
          flex={1}
          miw={200}
          {...toInputProps('url', draft, onChange)}
        />
        <Button
          variant="default"
          loading={detection.isPending}
          disabled={draft.url.trim() === ''}
          onClick={() => detection.mutate(draft)}
        >
          Detect
        </Button>
      </Group>
      <Outcome detection={detection} />
    </>
  );
};

export interface DraftProps {
  readonly draft: ServerDraft;
  readonly onChange: (draft: ServerDraft) => void;
}

const AUTHS: readonly { readonly value: DraftAuth; readonly label: string }[] = [
  { value: 'none', label: 'No sign-in' },
  { value: 'oauth', label: 'Each user signs in to the server' },
  { value: 'forward', label: 'The sign-in to the gateway is forwarded' },
];

const toAuth = (value: string): DraftAuth =>
  AUTHS.find((auth) => auth.value === value)?.value ?? 'none';

const Remote = ({ draft, onChange }: DraftProps): ReactNode => (
  <>
    <DetectServer draft={draft} onChange={onChange} />
    <NativeSelect
      label="Transport"
      data={['streamable-http', 'sse']}
      value={draft.transport}
      onChange={({ currentTarget }) =>
        onChange({
          ...draft,
          transport: currentTarget.value === 'sse' ? 'sse' : 'streamable-http',
        })
      }
    />
    <NativeSelect
      label="Sign-in"
      data={[...AUTHS]}
      value={draft.auth}
      onChange={({ currentTarget }) => onChange({ ...draft, auth: toAuth(currentTarget.value) })}
    />
    <ValueRows
      label="Headers"
      rows={draft.values}
      onChange={(values) => onChange({ ...draft, values })}
    />
  </>
);

const Stdio = ({ draft, onChange }: DraftProps): ReactNode => (
  <>
    <TextInput
      label="Command"
      description="A program on the machine of the gateway"
      placeholder="npx"
      {...toInputProps('command', draft, onChange)}
    />
    <Textarea
      label="Arguments"
      description="One per line"
      autosize
      minRows={2}
      {...toInputProps('args', draft, onChange)}
    />
    <ValueRows
      label="Environment variables"
      rows={draft.values}
      onChange={(values) => onChange({ ...draft, values })}
    />
  </>
);

/** The fields that say how the gateway reaches a server. */
export const TransportFields = (props: DraftProps): ReactNode =>
  props.draft.kind === 'remote' ? <Remote {...props} /> : <Stdio {...props} />;
