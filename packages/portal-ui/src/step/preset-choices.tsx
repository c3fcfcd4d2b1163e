import { Badge, Checkbox, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { isChosen, toggle, type PresetCard, type PresetCards } from '@gateway/toolset-composer';
import { useId, type ReactNode } from 'react';
import type { ComposeProps } from './compose-props.ts';

/** Enough contrast on the ground of a card, in light and dark. */
const WARNING = 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))';

const Facts = ({ card, id }: { readonly card: PresetCard; readonly id: string }): ReactNode => (
  <Stack gap={4} id={id} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
    <Group gap="xs">
      <Text fw={600} size="sm">
        <bdi>{card.label}</bdi>
      </Text>
      {card.isRecommended && (
        <Badge size="sm" variant="light" tt="none">
          Recommended
        </Badge>
      )}
    </Group>
    {card.description !== card.label && (
      <Text size="sm" lineClamp={3}>
        <bdi>{card.description}</bdi>
      </Text>
    )}
    <Text size="xs" component="span">
      <Code>{card.selector}</Code>
      {` · ${card.origin}`}
    </Text>
    {card.isFullAccess && (
      <Text size="sm" fw={600} c={WARNING}>
        The agent can use every tool, also those that change the gateway for everyone.
      </Text>
    )}
  </Stack>
);

const Card = ({
  card,
  composition,
  onChange,
}: ComposeProps & { readonly card: PresetCard }): ReactNode => {
  const id = useId();
  return (
    <Checkbox.Card
      checked={isChosen(composition, card.selector)}
      onChange={() => onChange(toggle(composition, card.selector))}
      aria-label={card.label}
      aria-describedby={id}
      p="sm"
      display="flex"
      style={{ alignItems: 'flex-start' }}
    >
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Checkbox.Indicator />
        <Facts card={card} id={id} />
      </Group>
    </Checkbox.Card>
  );
};

/** The presets as cards that can be checked. */
export const PresetChoices = ({
  presets,
  ...compose
}: ComposeProps & { readonly presets: PresetCards }): ReactNode => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
    {presets.cards.map((card) => (
      <Card key={card.selector} card={card} {...compose} />
    ))}
  </SimpleGrid>
);
