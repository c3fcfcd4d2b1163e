import { Badge, Card, CloseButton, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ComparedTool, ToolReason } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';

const STATES: { readonly [State in ToolReason['state']]: readonly [color: string, text: string] } =
  {
    in: ['teal', 'In'],
    'left-out': ['orange', 'Left out'],
    'not-named': ['gray', 'Not in'],
  };

/** Shows whether a toolset has a tool. */
export const ReasonBadge = ({ state }: Pick<ToolReason, 'state'>): ReactNode => {
  const [color, text] = STATES[state];
  return (
    <Badge size="sm" variant="light" color={color} tt="none" miw={80}>
      {text}
    </Badge>
  );
};

const Reason = ({
  label,
  reason,
}: {
  readonly label: string;
  readonly reason: ToolReason;
}): ReactNode => (
  <Stack gap={2}>
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <ReasonBadge state={reason.state} />
    </Group>
    <List size="sm">
      {reason.texts.map((text) => (
        <List.Item key={text}>
          <bdi>{text}</bdi>
        </List.Item>
      ))}
    </List>
  </Stack>
);

/** Every reason why each toolset has a tool or not. */
export const ToolReasons = ({
  name,
  compared,
  labels,
  onClose,
}: {
  readonly name: string;
  /** Absent for a tool that the catalog does not have. */
  readonly compared: ComparedTool | undefined;
  readonly labels: readonly string[];
  readonly onClose: () => void;
}): ReactNode => (
  <Card withBorder component="section" aria-label="Reasons" aria-live="polite">
    <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={3} size="h6">
          Why{' '}
          <PageLink to="/catalog/$tool" params={{ tool: name }} inherit>
            <bdi>{name}</bdi>
          </PageLink>
        </Title>
        <CloseButton aria-label="Close the reasons" onClick={onClose} />
      </Group>
      {compared === undefined ? (
        <Text size="sm">The catalog has no tool of this name for you.</Text>
      ) : (
        compared.reasons.map((reason, at) => (
          <Reason key={labels[at]} label={labels[at] ?? ''} reason={reason} />
        ))
      )}
    </Stack>
  </Card>
);
