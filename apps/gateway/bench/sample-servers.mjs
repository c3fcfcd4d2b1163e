/** Made-up servers whose tools look like real ones: some 700 bytes each, with a description, a schema and hints. */

const VERBS = ['read', 'list', 'search', 'create', 'update', 'export', 'describe', 'merge'];
const NOUNS = [
  'item',
  'order',
  'branch',
  'ticket',
  'dashboard',
  'document',
  'pipeline',
  'customer',
];
const WORDS = `about after all another archive before billing branch by change cluster comment
created customer date default each empty entry exact field filter first format from group id
include key label last limit list match maximum name newest note number of only open order page
path project query range region report result search since sort state status storage team text
time to type until updated user value version with within year`.split(/\s+/u);

const words = (seed, count) =>
  Array.from({ length: count }, (_, at) => WORDS[(seed * 31 + at * 17) % WORDS.length]).join(' ');

/** The name of the tool at an index of any server: `read_item_0`, `read_large_0`, and so on. */
export const toolName = (index) =>
  index === 1 ? 'read_large_0' : `${VERBS[index % 8]}_${NOUNS[Math.floor(index / 8) % 8]}_${index}`;

const tool = (server, index) => {
  const seed = server * 97 + index;
  return {
    name: toolName(index),
    description: `Works on the ${NOUNS[index % 8]} of service ${server}: ${words(seed, 9)}.\n${words(seed + 5, 30)}.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: `Which one: ${words(seed + 1, 6)}` },
        [`${WORDS[seed % 20]}_filter`]: { type: 'string', description: words(seed + 2, 8) },
        limit: { type: 'integer', description: words(seed + 3, 6), minimum: 1, maximum: 100 },
      },
      required: ['id'],
    },
    annotations: { readOnlyHint: index % 2 === 0 },
  };
};

/** Returns the list of a server with `count` tools. */
export const toolsOf = (server, count) =>
  Array.from({ length: count }, (_, index) => tool(server, index));

/** Text as tools answer it: lines, quotes and all. */
const text = (bytes) => {
  let lines = '';
  for (let seed = 0; lines.length < bytes; seed += 1) {
    lines += `${seed}\t"${WORDS[seed % WORDS.length]}": ${words(seed, 10)}\n`;
  }
  return lines.slice(0, bytes);
};

const result = (bytes) => ({ content: [{ type: 'text', text: text(bytes) }] });
const SMALL = JSON.stringify(result(1_000));
const LARGE = JSON.stringify(result(100_000));

/** The JSON text of what a tool answers: 1 KB, or 100 KB for a `read_large_0`. */
export const answerOf = (name) => (name === 'read_large_0' ? LARGE : SMALL);

const plain = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === '2026-07-28' ? '2025-11-25' : protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1.0.0' },
  }),
  ping: () => ({}),
};

/** Reports of progress for a call that asks for them, as JSON texts. */
export const progressOf = ({ method, params }) => {
  const token = params?._meta?.progressToken;
  if (method !== 'tools/call' || token === undefined) return [];
  return [1, 2, 3].map((progress) =>
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress, total: 3 },
    }),
  );
};

/**
 * The answer of a server to one message, as JSON text; `undefined` to a notification. It costs as little as it can.
 *
 * @param list gives the tools
 */
export const answerTo = (message, list) => {
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if (method === 'tools/call') return `${head}"result":${answerOf(params.name)}}`;
  if (method === 'tools/list') return `${head}"result":{"tools":${JSON.stringify(list())}}}`;
  if (Object.hasOwn(plain, method))
    return `${head}"result":${JSON.stringify(plain[method](params))}}`;
  return `${head}"error":{"code":-32601,"message":"Method not found"}}`;
};
