import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetectServer } from './detect-server.tsx';
import type { DraftAuth, ServerDraft } from './server-draft.ts';
import { ValueRows } from './value-rows.tsx';

/** The properties of a part of the form. */
export interface DraftProps {
  readonly draft: ServerDraft;
  readonly onChange: (draft: ServerDraft) => void;
}

const AUTHS: readonly { readonly value: DraftAuth; readonly label: string }[] = [
  { value: 'none', label: 'No sign-in' },
  { value: 'oauth', label: 'Each person signs in to the server' },
  { value: 'forward', label: 'The sign-in to the gateway is forwarded' },
];

const authOf = (value: string): DraftAuth =>
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
      onChange={({ currentTarget }) => onChange({ ...draft, auth: authOf(currentTarget.value) })}
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
      value={draft.command}
      onChange={({ currentTarget }) => onChange({ ...draft, command: currentTarget.value })}
    />
    <Textarea
      label="Arguments"
      description="One per line"
      autosize
      minRows={2}
      value={draft.args}
      onChange={({ currentTarget }) => onChange({ ...draft, args: currentTarget.value })}
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
