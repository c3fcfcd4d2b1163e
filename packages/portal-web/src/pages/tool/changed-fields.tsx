import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { JsonBlock, TextBlock } from '../../display/json-block.tsx';
import type { PendingChange } from './tool-changes.ts';
import type { ToolDetail } from './tool-detail.ts';

interface FieldProps {
  readonly tool: ToolDetail;
  readonly pending: PendingChange;
}

interface Field {
  readonly label: string;
  /** The present value, as agents see it. */
  readonly now: (tool: ToolDetail) => string | object | undefined;
}

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['title', { label: 'Title', now: ({ title }) => title }],
  ['description', { label: 'Description', now: ({ description }) => description }],
  ['inputSchema', { label: 'Arguments', now: ({ inputSchema }) => inputSchema }],
  ['outputSchema', { label: 'Schema of its results', now: ({ outputSchema }) => outputSchema }],
  ['annotations', { label: 'Annotations', now: ({ annotations }) => annotations }],
]);

/** The one value of which the gateway knows the accepted state. */
const Hint = ({ pending: { isHeld } }: Pick<FieldProps, 'pending'>): ReactNode => (
  <Text size="sm">
    {'Only reads: accepted “no”, now “yes”'}
    {isHeld && '. The accepted value counts'}
  </Text>
);

const Now = ({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode => {
  const title = `${label} now`;
  if (typeof value === 'string') return <TextBlock title={title} text={value} />;
  if (value !== undefined) return <JsonBlock title={title} value={value} />;
  return <Text size="sm">{`${title}: none`}</Text>;
};

/** The fields of a tool that differ from the accepted declaration, with their present values. The gateway keeps no accepted texts. @spec §2.6 */
export const ChangedFields = ({ tool, pending }: FieldProps): ReactNode => (
  <Stack gap="xs" w="100%">
    {pending.fields.map((name) => {
      const field = FIELDS.get(name);
      return (
        <Stack key={name} gap={4}>
          <Now label={field?.label ?? name} value={field?.now(tool)} />
          {name === 'annotations' && pending.isWidened && <Hint pending={pending} />}
        </Stack>
      );
    })}
    <Text size="xs">
      The gateway keeps no accepted texts: it knows that these fields differ, and not what they
      contained.
    </Text>
  </Stack>
);
