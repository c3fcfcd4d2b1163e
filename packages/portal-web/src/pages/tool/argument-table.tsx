import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { JsonBlock } from '../../display/json-block.tsx';
import { RecordTable, type RecordColumn } from '../../display/record-table.tsx';
import { argumentsOf, type ToolArgument, type ToolDetail } from './tool-detail.ts';

/** More rows make a page slow. */
const MAX_ROWS = 200;

const Name = ({
  argument: { name, isRequired },
}: {
  readonly argument: ToolArgument;
}): ReactNode => (
  <Group gap="xs">
    <Code>
      <bdi>{name}</bdi>
    </Code>
    {isRequired && (
      <Badge size="sm" variant="light" tt="none">
        Required
      </Badge>
    )}
  </Group>
);

const COLUMNS: readonly RecordColumn<ToolArgument>[] = [
  { label: 'Name', render: (argument) => <Name argument={argument} /> },
  {
    label: 'Type',
    render: ({ type }) => (
      <Text size="sm" ff="monospace">
        <bdi>{type}</bdi>
      </Text>
    ),
  },
  {
    label: 'Description',
    render: ({ description }) =>
      description === '' ? null : (
        <Text component="bdi" size="sm">
          {description}
        </Text>
      ),
  },
];

/** The schemas of a tool as JSON, closed at first. */
const Schemas = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="stretch">
      <Group>
        <Button variant="default" size="xs" aria-expanded={opened} onClick={toggle}>
          {opened ? 'Hide the schema' : 'Show the schema'}
        </Button>
      </Group>
      {opened && (
        <>
          <JsonBlock title="Schema of the arguments" value={tool.inputSchema} />
          {tool.outputSchema !== undefined && (
            <JsonBlock title="Schema of the results" value={tool.outputSchema} />
          )}
        </>
      )}
    </Stack>
  );
};

/** The arguments of a tool, and its schemas. */
export const ArgumentTable = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const rows = argumentsOf(tool);
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Arguments
      </Title>
      {rows.length === 0 ? (
        <Text size="sm">The tool has no arguments.</Text>
      ) : (
        <RecordTable
          label="Arguments"
          records={rows.slice(0, MAX_ROWS)}
          keyOf={({ name }) => name}
          columns={COLUMNS}
        />
      )}
      {rows.length > MAX_ROWS && (
        <Text size="sm">
          {`The first ${MAX_ROWS} of ${rows.length} arguments are shown. The schema has all.`}
        </Text>
      )}
      <Schemas tool={tool} />
    </Stack>
  );
};
