import {
  CARD_TEXTS,
  type DeclaredAccess,
  type ResolutionState,
  type SelectorChip,
  createToolsetCard,
  type ToolsetCard as CardState,
} from '@gateway/toolset-composer';
import { Alert, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ResolvedTools, type ToolListProps } from '../tools/tool-list.tsx';

/** The properties of {@link ToolsetCard}. */
export interface ToolsetCardProps extends Pick<ToolListProps, 'renderName'> {
  readonly declared: DeclaredAccess;
  /** The resolved tools of the current user. */
  readonly resolution: ResolutionState;
  /** Sign-in links below the chips. */
  readonly children?: ReactNode;
}

const Chip = ({ chip }: { readonly chip: SelectorChip }): ReactNode => (
  <Group gap={4} wrap="nowrap">
    <Badge
      variant="default"
      tt="none"
      ff="monospace"
      {...(chip.isUnmatched && { td: 'line-through' })}
    >
      <bdi>{chip.selector}</bdi>
    </Badge>
    {chip.isUnmatched && (
      <Text size="xs" c="dimmed">
        {CARD_TEXTS.unmatched}
      </Text>
    )}
  </Group>
);

const Access = ({ card }: { readonly card: CardState }): ReactNode => {
  switch (card.kind) {
    case 'no-tools':
      return <Text>{CARD_TEXTS.noTools}</Text>;
    case 'implicit-full-access':
      return (
        <Alert color="red" title={CARD_TEXTS.implicitFullAccess}>
          The agent declares no toolset, so it has every tool of the gateway.
        </Alert>
      );
    case 'toolset':
      return (
        <Stack gap="xs">
          {card.isFullAccess && <Alert color="red" title={CARD_TEXTS.fullAccess} />}
          <Group gap="xs">
            {card.chips.map((chip) => (
              <Chip key={chip.selector} chip={chip} />
            ))}
          </Group>
        </Stack>
      );
  }
};

/** The toolset of an agent: its selectors, warnings, and the resolved tools of the current user. @spec §9.2 9.2/portal-toolset-card */
export const ToolsetCard = ({
  declared,
  resolution,
  renderName,
  children,
}: ToolsetCardProps): ReactNode => {
  const card = createToolsetCard(declared, resolution);
  return (
    <Card withBorder component="section" aria-label="Toolset">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Toolset
        </Title>
        <Access card={card} />
        {children}
        {card.kind === 'toolset' && (
          <ResolvedTools
            resolution={resolution}
            {...(renderName !== undefined && { renderName })}
          />
        )}
      </Stack>
    </Card>
  );
};
