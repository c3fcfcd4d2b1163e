import { Badge } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import type { ReactNode } from 'react';

interface ShownState {
  readonly text: string;
  readonly color: string;
  /** Explains a state that is not clear without more words. */
  readonly title?: string;
}

const UNKNOWN: ShownState = {
  text: 'Unknown',
  color: 'gray',
  title:
    'Nothing reports whether this agent is ready: it has just been created, or agent-manager keeps releases without a cluster that runs them.',
};

const stateOf = ({ ready, helmRelease }: Agent): ShownState => {
  if (helmRelease?.deleting === true) return { text: 'Being deleted', color: 'orange' };
  if (helmRelease?.suspended === true) return { text: 'Suspended', color: 'orange' };
  if (ready === null) return UNKNOWN;
  return ready ? { text: 'Ready', color: 'teal' } : { text: 'Not ready', color: 'red' };
};

/** The state of an agent in words. */
export const AgentState = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { text, ...look } = stateOf(agent);
  return (
    <Badge variant="light" tt="none" miw="max-content" {...look}>
      {text}
    </Badge>
  );
};
