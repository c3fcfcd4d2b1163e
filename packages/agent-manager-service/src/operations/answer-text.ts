import type { Agent, AgentList, OperationName } from '@gateway/agent-manager-client';
import { agentListJson } from '@gateway/agent-releases';

const isList = (name: OperationName, value: object): value is AgentList =>
  name === 'list_agents' && Object.keys(value).join() === 'agents';

/** Returns the JSON of the answer of an operation. A list is joined from the cached bytes of its agents. */
export const jsonOf = (name: OperationName, value: object): string | Uint8Array =>
  isList(name, value) ? agentListJson(value) : JSON.stringify(value);

const INDENT = 2;

/** Returns a text as it stands inside a JSON string, without quotes. */
const quotedInside = (text: string): string => JSON.stringify(text).slice(1, -1);

const cache = new WeakMap<Agent, string>();

/** Returns an agent as it stands in an indented list, cached by object identity: an unchanged agent is the same object. */
function indentedAgent(agent: Agent): string {
  const known = cache.get(agent);
  if (known !== undefined) return known;
  const lines = JSON.stringify([agent], null, INDENT).split('\n').slice(1, -1);
  const text = quotedInside(lines.map((line) => `${' '.repeat(INDENT)}${line}`).join('\n'));
  cache.set(agent, text);
  return text;
}

/**
 * Returns the answer for MCP callers: indented JSON as a quoted JSON string, equal to
 * `JSON.stringify(JSON.stringify(value, null, 2))` for every value.
 */
export function quotedIndentedJsonOf(name: OperationName, value: object): string {
  if (!isList(name, value) || value.agents.length === 0)
    return JSON.stringify(JSON.stringify(value, null, INDENT));
  const agents = value.agents.map(indentedAgent).join(',\\n');
  return `"${quotedInside('{\n  "agents": [\n')}${agents}${quotedInside('\n  ]\n}')}"`;
}
