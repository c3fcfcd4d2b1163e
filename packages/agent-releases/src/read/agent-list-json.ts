import type { Agent, AgentList } from '@gateway/agent-manager-client';

const texts = new WeakMap<Agent, string>();

const textOf = (agent: Agent): string => {
  const known = texts.get(agent);
  if (known !== undefined) return known;
  const text = JSON.stringify(agent);
  texts.set(agent, text);
  return text;
};

/** The list as compact JSON. An agent that was listed before and has not changed is not printed again. */
export const agentListJson = ({ agents }: AgentList): string =>
  `{"agents":[${agents.map(textOf).join(',')}]}`;
