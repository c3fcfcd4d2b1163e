// Calls one meta-tool of a running gateway and prints the answer.
//
//   node ask.mjs <meta-tool> [arguments as JSON] [--toolset "a,b"] [--url http://127.0.0.1:8090/mcp]
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    toolset: { type: 'string' },
    url: { type: 'string', default: process.env.GATEWAY_URL ?? 'http://127.0.0.1:8090/mcp' },
  },
});
const [tool, json = '{}'] = positionals;
if (tool === undefined) {
  console.error(
    'usage: node ask.mjs <meta-tool> [arguments as JSON] [--toolset "a,b"] [--url URL]',
  );
  process.exit(2);
}

const headers = values.toolset === undefined ? {} : { 'X-Gateway-Toolset': values.toolset };
const client = new Client({ name: 'ask', version: '1.0.0' });
try {
  await client.connect(
    new StreamableHTTPClientTransport(new URL(values.url), { requestInit: { headers } }),
  );
  const result = await client.callTool({ name: tool, arguments: JSON.parse(json) });
  for (const item of result.content) console.log(item.type === 'text' ? pretty(item.text) : item);
  process.exitCode = result.isError ? 1 : 0;
} catch (error) {
  console.error(`${values.url}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await client.close();
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
