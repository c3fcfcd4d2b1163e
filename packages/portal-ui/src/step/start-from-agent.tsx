import { Select } from '@mantine/core';
import { startFrom } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import type { ComposeProps } from './compose-props.ts';

/** An agent whose toolset can be the start of another one. */
export interface AgentToolset {
  /** The name for people, unique in the list. */
  readonly name: string;
  readonly toolset: readonly string[];
}

/** Replaces the composition by the toolset of an existing agent; nothing where no agent declares one. */
export const StartFromAgent = ({
  agents,
  onChange,
}: Pick<ComposeProps, 'onChange'> & { readonly agents: readonly AgentToolset[] }): ReactNode => {
  if (agents.length === 0) return null;
  const copy = (index: string | null): void => {
    const agent = index === null ? undefined : agents[Number(index)];
    if (agent !== undefined) onChange(startFrom(agent.toolset));
  };
  return (
    <Select
      label="Start from an existing agent's toolset"
      description="Replaces what is chosen now"
      placeholder="Choose an agent"
      searchable
      limit={100}
      value={null}
      data={agents.map(({ name }, index) => ({ value: String(index), label: name }))}
      onChange={copy}
    />
  );
};
