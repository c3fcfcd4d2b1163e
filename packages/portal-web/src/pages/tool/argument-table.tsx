import { Badge, Code, Group, Spoiler, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { argumentsOf, type ToolArgument, type ToolDetail } from './tool-detail.ts';

const COLLAPSED_PX = 120;

const ArgumentRow = ({ argument }: { readonly argument: ToolArgument }): ReactNode => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        <Code>
          <bdi>{argument.name}</bdi>
        </Code>
        {argument.isRequired && (
          <Badge size="xs" variant="light">
            required
          </Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td>
      <Text size="sm" ff="monospace">
        <bdi>{argument.type}</bdi>
      </Text>
    </Table.Td>
    <Table.Td>
      <Text component="bdi" size="sm">
        {argument.description}
      </Text>
    </Table.Td>
  </Table.Tr>
);

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
        <Table.ScrollContainer minWidth={480}>
          <Table>
            <Table.Tbody>
              {rows.map((argument) => (
                <ArgumentRow key={argument.name} argument={argument} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Spoiler maxHeight={COLLAPSED_PX} showLabel="Show the schema" hideLabel="Hide the schema">
        <Code block>{JSON.stringify(tool.inputSchema, undefined, 2)}</Code>
      </Spoiler>
    </Stack>
  );
};
