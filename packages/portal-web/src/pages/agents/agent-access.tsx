import { Badge, Group, Text } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { accessOfAgent, CARD_TEXTS, resolutionOf, toolsetCard } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';

const IDLE = resolutionOf({ kind: 'idle' });

/** The number of chips of an agent in a list. */
const SHOWN = 5;

/** The access that an agent declares, in one cell: no tools, a warning, or the first selectors. */
export const AgentAccess = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const card = toolsetCard(accessOfAgent(agent), IDLE);
  if (card.kind === 'no-tools') return <Text size="sm">{CARD_TEXTS.noTools}</Text>;
  if (card.kind === 'implicit-full-access')
    return (
      <Badge color="red" tt="none">
        {CARD_TEXTS.implicitFullAccess}
      </Badge>
    );
  const more = card.chips.length - SHOWN;
  return (
    <Group gap={4}>
      {card.isFullAccess && (
        <Badge color="red" tt="none">
          {CARD_TEXTS.fullAccess}
        </Badge>
      )}
      {card.chips.slice(0, SHOWN).map(({ selector }) => (
        <Badge key={selector} variant="default" tt="none" ff="monospace" maw={260}>
          <bdi>{selector}</bdi>
        </Badge>
      ))}
      {more > 0 && <Text size="sm">{`and ${more} more`}</Text>}
    </Group>
  );
};
