import { Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import type { WorkflowEntry } from './workflow-facts.ts';
import { WorkflowMark } from './workflow-mark.tsx';

const WIDTH_PX = 300;
const NAMED_TOOLS = 3;

const missingText = (missing: readonly string[]): string =>
  missing.slice(0, NAMED_TOOLS).join(', ') + (missing.length > NAMED_TOOLS ? ' and more' : '');

const WorkflowRow = ({ workflow }: { readonly workflow: WorkflowEntry }): ReactNode => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <PageLink to="/workflows/$workflow" params={{ workflow: workflow.name }}>
        <bdi>{workflow.name}</bdi>
      </PageLink>
      <Text size="xs" c="dimmed" lineClamp={2}>
        <bdi>{workflow.description}</bdi>
      </Text>
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Stack gap={4} align="flex-start">
        <WorkflowMark workflow={workflow} />
        {workflow.missing.length > 0 && (
          <Text size="xs" ff="monospace" lineClamp={3}>
            <bdi>{missingText(workflow.missing)}</bdi>
          </Text>
        )}
      </Stack>
    </Table.Td>
  </Table.Tr>
);

/** Workflows with their state for the person who reads the page. */
export const WorkflowTable = ({
  workflows,
}: {
  readonly workflows: readonly WorkflowEntry[];
}): ReactNode => (
  <Table.ScrollContainer minWidth={WIDTH_PX}>
    <Table aria-label="Workflows">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th w="40%">State</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {workflows.map((workflow) => (
          <WorkflowRow key={workflow.name} workflow={workflow} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
