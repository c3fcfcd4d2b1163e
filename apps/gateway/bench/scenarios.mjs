import { toolName } from './sample-servers.mjs';

/** The scenarios, as data. A run takes each against its floor, in turns. */

const call = (name, args = {}) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
/** Requests of many kinds in turn. */
const VARIANTS = 400;
const varied = (message) => Array.from({ length: VARIANTS }, (_, index) => message(index));
/** Placeholder for a number that is unique per request, so that no cached answer applies. */
const COUNTER = '#######';
const NOUNS = 'order branch ticket dashboard document pipeline customer item'.split(' ');

const calls = {
  'tools/list': { method: 'tools/list', params: {} },
  list_tools: call('list_tools', { limit: 100_000 }),
  filter_tools: call('filter_tools', { query: 'read item of service' }),
  'filter_tools, varied': varied((index) =>
    call('filter_tools', { query: `read ${NOUNS[index % 8]} of service ${index} ${COUNTER}` }),
  ),
  describe_tool: call('describe_tool', { name: 'x_s0_read_item_0' }),
  'describe_tool, varied': varied((index) =>
    call('describe_tool', { name: `x_s${index % 15}_${toolName(index % 34)}` }),
  ),
  'call_tool, HTTP, 1 KB': calling('s0', 'read_item_0'),
  'call_tool, HTTP, 100 KB': calling('s0', 'read_large_0'),
  'call_tool, stdio, 1 KB': calling('local', 'read_item_0'),
  'call_tool, stdio, 100 KB': calling('local', 'read_large_0'),
};

function calling(server, tool) {
  return {
    ...call('call_tool', { name: `x_${server}_${tool}`, arguments: { id: '1' } }),
    // What a proxy in the gateway's place sends on.
    proxied: call('call_tool', { name: tool, arguments: { id: '1' } }),
  };
}

const floorOf = (name) => {
  if (name.startsWith('call_tool, HTTP')) return 'http-proxy-floor';
  return name.startsWith('call_tool, stdio') ? 'stdio-proxy-floor' : 'floor';
};

const scenario = (name, rest = {}) => ({
  name,
  messages: [calls[name]].flat(),
  floor: floorOf(name),
  target: 'gateway',
  framing: 'session',
  connections: 16,
  toolset: false,
  everyMs: 0,
  quick: false,
  ...rest,
});

const HTTP = 'call_tool, HTTP, 1 KB';
const STDIO = 'call_tool, stdio, 1 KB';
const LARGE = 'gateway, 10,000 tools';
const FRAMINGS = ['session', 'sessionless', 'modern'];

const answeredInside = [
  ...FRAMINGS.map((framing) => scenario('describe_tool', { framing, quick: true })),
  scenario('describe_tool', { toolset: true, quick: true }),
  ...[1, 64].map((connections) => scenario('describe_tool', { connections })),
  scenario('describe_tool', { target: 'sdk-session', quick: true }),
  scenario('describe_tool', { target: 'sdk-handler', framing: 'modern', quick: true }),
  scenario('describe_tool', { target: 'sdk-handler', framing: 'sessionless' }),
  scenario('tools/list', { quick: true }),
  scenario('tools/list', { framing: 'modern' }),
  scenario('tools/list', { target: 'sdk-session' }),
  ...['list_tools', 'filter_tools'].flatMap((name) => [
    scenario(name, { quick: true }),
    scenario(name, { toolset: true, quick: true }),
    scenario(name, { target: LARGE }),
    scenario(name, { target: LARGE, toolset: true }),
  ]),
  scenario('describe_tool, varied'),
  scenario('filter_tools, varied', { quick: true }),
  scenario('filter_tools, varied', { target: LARGE, quick: true }),
  scenario('filter_tools, varied', { target: LARGE, toolset: true }),
  scenario('list_tools', { connections: 1 }),
  scenario('list_tools', { connections: 64 }),
];

const proxied = [
  scenario(HTTP, { quick: true }),
  ...FRAMINGS.map((framing) => scenario(HTTP, { framing, toolset: true, quick: true })),
  ...[1, 64].map((connections) => scenario(HTTP, { connections, toolset: true })),
  scenario(HTTP, { target: LARGE, toolset: true }),
  // Far from saturation, so that no request waits for another.
  scenario(HTTP, { toolset: true, everyMs: 8, quick: true }),
  scenario('call_tool, HTTP, 100 KB', { toolset: true, quick: true }),
  scenario('call_tool, HTTP, 100 KB', { framing: 'modern' }),
  scenario(STDIO, { quick: true }),
  scenario(STDIO, { toolset: true }),
  ...[1, 64].map((connections) => scenario(STDIO, { connections, toolset: true })),
  scenario('call_tool, stdio, 100 KB', { toolset: true, quick: true }),
];

/** Every scenario; the short run takes those that are marked `quick`. */
export const scenarios = [...answeredInside, ...proxied];
