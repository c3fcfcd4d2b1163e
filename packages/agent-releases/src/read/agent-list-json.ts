import type { Agent, AgentList } from '@gateway/agent-manager-client';

const encoder = new TextEncoder();
const OPENING = encoder.encode('{"agents":[');
const CLOSING = encoder.encode(']}');

const printed = new WeakMap<Agent, Uint8Array>();

/** Returns the JSON of an agent in a list, with a leading comma. */
const encodeItem = (agent: Agent): Uint8Array => {
  const known = printed.get(agent);
  if (known !== undefined) return known;
  const item = encoder.encode(`,${JSON.stringify(agent)}`);
  printed.set(agent, item);
  return item;
};

/** Returns the list as compact JSON in UTF-8. An unchanged agent is copied from a cache. */
export const renderAgentList = ({ agents }: AgentList): Uint8Array => {
  const items = agents.map(encodeItem);
  const length = items.reduce((sum, item) => sum + item.length, 0);
  // The first item has no comma before it.
  const first = OPENING.length - (items.length > 0 ? 1 : 0);
  const bytes = new Uint8Array(first + length + CLOSING.length);
  let at = first;
  for (const item of items) {
    bytes.set(item, at);
    at += item.length;
  }
  bytes.set(OPENING);
  bytes.set(CLOSING, at);
  return bytes;
};
