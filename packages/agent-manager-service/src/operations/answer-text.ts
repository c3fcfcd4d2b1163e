import type { Agent, AgentList, OperationName } from '@gateway/agent-manager-client';
import { renderAgentList } from '@gateway/agent-releases';

const isAgentList = (name: OperationName, value: object): value is AgentList =>
  name === 'list_agents' && Object.keys(value).join() === 'agents';

/** Returns the answer of an operation as JSON. A list of agents is joined from their cached bytes. */
export const formatAnswerJson = (name: OperationName, value: object): string | Uint8Array =>
  isAgentList(name, value) ? renderAgentList(value) : JSON.stringify(value);

/** Escapes a text for a JSON string, without adding quotes. */
const escapeForJsonString = (text: string): string => JSON.stringify(text).slice(1, -1);

const cache = new WeakMap<Agent, string>();

/** Returns the JSON of an agent, escaped for a JSON string. Cached by object identity, which unchanged agents keep. */
function formatQuotedAgent(agent: Agent): string {
  const known = cache.get(agent);
  if (known !== undefined) return known;
  const text = escapeForJsonString(JSON.stringify(agent));
  cache.set(agent, text);
  return text;
}

/** Returns the answer for MCP callers: compact JSON as a quoted JSON string, equal to `JSON.stringify(JSON.stringify(value))`. */
export function formatQuotedAnswer(name: OperationName, value: object): string {
  if (!isAgentList(name, value)) return JSON.stringify(JSON.stringify(value));
  return `"${escapeForJsonString('{"agents":[')}${value.agents.map(formatQuotedAgent).join(',')}]}"`;
}
