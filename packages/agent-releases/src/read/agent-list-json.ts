import type { Agent, AgentList } from '@gateway/agent-manager-client';

const texts = new WeakMap<Agent, string>();

const textOf = (agent: Agent): string => {
  const known = texts.get(agent);
  if (known !== undefined) return known;
  const text = JSON.stringify(agent);
  texts.set(agent, text);
  return text;
};

interface Printed {
  readonly agents: readonly Agent[];
  readonly text: string;
}

/** The last list that began with an agent. */
const lists = new WeakMap<Agent, Printed>();

const isSame = (one: readonly Agent[], other: readonly Agent[]): boolean =>
  one.length === other.length && one.every((agent, index) => agent === other[index]);

/** The list as compact JSON. Neither a list nor an agent that was printed before and has not changed is printed again. */
export const agentListJson = ({ agents }: AgentList): string => {
  const [first] = agents;
  if (first === undefined) return '{"agents":[]}';
  const known = lists.get(first);
  if (known !== undefined && isSame(known.agents, agents)) return known.text;
  const text = `{"agents":[${agents.map(textOf).join(',')}]}`;
  lists.set(first, { agents, text });
  return text;
};
