import type { Agent, AgentList, OperationName } from '@gateway/agent-manager-client';
import { agentListJson } from '@gateway/agent-releases';

const isList = (name: OperationName, value: object): value is AgentList =>
  name === 'list_agents' && Object.keys(value).join() === 'agents';

/** The JSON of what an operation answers. Lists are put together from the bytes of their agents, which are kept. */
export const jsonOf = (name: OperationName, value: object): string | Uint8Array =>
  isList(name, value) ? agentListJson(value) : JSON.stringify(value);

const INDENT = 2;

/** JSON text inside of a JSON string, without its quotes. */
const quotedInside = (text: string): string => JSON.stringify(text).slice(1, -1);

const kept = new WeakMap<Agent, string>();

/** An agent as it stands in an indented list; one that did not change is the same object as before, and is not written again. */
function indentedAgent(agent: Agent): string {
  const known = kept.get(agent);
  if (known !== undefined) return known;
  const lines = JSON.stringify([agent], null, INDENT).split('\n').slice(1, -1);
  const text = quotedInside(lines.map((line) => `${' '.repeat(INDENT)}${line}`).join('\n'));
  kept.set(agent, text);
  return text;
}

/**
 * The same for MCP callers: indented JSON text, as a JSON string with its quotes. For every value it is
 * `JSON.stringify(JSON.stringify(value, null, 2))`.
 */
export function quotedIndentedJsonOf(name: OperationName, value: object): string {
  if (!isList(name, value) || value.agents.length === 0)
    return JSON.stringify(JSON.stringify(value, null, INDENT));
  const agents = value.agents.map(indentedAgent).join(',\\n');
  return `"${quotedInside('{\n  "agents": [\n')}${agents}${quotedInside('\n  ]\n}')}"`;
}
