import { Badge } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';

const stateOf = ({ ready, helmRelease }: Agent): readonly [text: string, color: string] => {
  if (helmRelease?.deleting === true) return ['being deleted', 'orange'];
  if (helmRelease?.suspended === true) return ['suspended', 'orange'];
  if (ready === null) return ['unknown', 'gray'];
  return ready ? ['ready', 'teal'] : ['not ready', 'red'];
};

/** The state of an agent in words. */
export const AgentState = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const [text, color] = stateOf(agent);
  return (
    <Badge variant="light" color={color} tt="none" miw="max-content">
      {text}
    </Badge>
  );
};
