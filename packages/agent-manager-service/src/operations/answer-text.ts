import type { Agent, AgentList, OperationName } from '@gateway/agent-manager-client';
import { renderAgentList } from '@gateway/agent-releases';

const isList = (name: OperationName, value: object): value is AgentList =>
  name === 'list_agents' && Object.keys(value).join() === 'agents';

/** Returns the JSON of the answer of an operation. A list is joined from the cached bytes of its agents. */
export const formatAnswerJson = (name: OperationName, value: object): string | Uint8Array =>
  isList(name, value) ? renderAgentList(value) : JSON.stringify(value);

/** Returns a text as it stands inside a JSON string, without quotes. */
const quotedInside = (text: string): string => JSON.stringify(text).slice(1, -1);

const cache = new WeakMap<Agent, string>();

/** Returns the JSON of an agent inside a JSON string, cached by object identity: an unchanged agent is the same object. */
function quotedAgent(agent: Agent): string {
  const known = cache.get(agent);
  if (known !== undefined) return known;
  const text = quotedInside(JSON.stringify(agent));
  cache.set(agent, text);
  return text;
}

/** Returns the answer for MCP callers: compact JSON as a quoted JSON string, equal to `JSON.stringify(JSON.stringify(value))`. */
export function formatQuotedAnswer(name: OperationName, value: object): string {
  if (!isList(name, value)) return JSON.stringify(JSON.stringify(value));
  return `"${quotedInside('{"agents":[')}${value.agents.map(quotedAgent).join(',')}]}"`;
}
