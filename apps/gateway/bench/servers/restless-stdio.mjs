// An MCP server of the 2025 revisions on standard input and output. From `storm` to `calm` it announces a hundred times a second
// that its tools changed, which is true. `large` answers beyond the size limit, `odd` with invalid UTF-8.
import { eachLine } from './lines.mjs';

let generation = 0;
let lists = 0;
let storm;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const say = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const tools = {
  storm: () => {
    storm = setInterval(() => {
      generation += 1;
      say({ method: 'notifications/tools/list_changed' });
    }, 10);
    return text('storm');
  },
  calm: () => {
    clearInterval(storm);
    return text(JSON.stringify({ generation, lists }));
  },
  large: () => text('x'.repeat(1_000_000)),
  odd: () => text('@'),
};

const methods = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'restless', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => {
    lists += 1;
    const names = [...Object.keys(tools), `generation_${generation}`];
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  },
  'tools/call': ({ name }) => (Object.hasOwn(tools, name) ? tools[name]() : text(name)),
};

eachLine(process.stdin, (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (!Object.hasOwn(methods, method)) {
    say({ id, error: { code: -32601, message: 'Method not found' } });
    return;
  }
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: methods[method](params) });
  const bytes = Buffer.from(`${answer}\n`);
  if (params?.name === 'odd') bytes[bytes.indexOf('@')] = 0xff;
  process.stdout.write(bytes);
});
