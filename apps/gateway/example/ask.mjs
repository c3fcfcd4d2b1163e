// Calls one meta-tool of a running gateway and prints the answer.
//
//   node ask.mjs <meta-tool> [arguments as JSON] [--toolset "a,b"] [--url http://127.0.0.1:8090/mcp]
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { tool, args, values } = readCommandLine();

const headers = values.toolset === undefined ? {} : { 'X-Gateway-Toolset': values.toolset };
const client = new Client({ name: 'ask', version: '1.0.0' });
try {
  const transport = new StreamableHTTPClientTransport(new URL(values.url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  const result = await client.callTool({ name: tool, arguments: args });
  for (const item of result.content) console.log(item.type === 'text' ? pretty(item.text) : item);
  process.exitCode = result.isError ? 1 : 0;
  await transport.terminateSession();
} catch (error) {
  const cause = error.cause?.code;
  console.error(
    cause === undefined
      ? `Failed: ${error.message}`
      : `No answer from ${values.url}: ${cause}. Is the gateway running (npm start)?`,
  );
  process.exitCode = 1;
} finally {
  await client.close();
}

function readCommandLine() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        toolset: { type: 'string' },
        url: { type: 'string', default: process.env.GATEWAY_URL ?? 'http://127.0.0.1:8090/mcp' },
      },
    });
    const [tool, json = '{}'] = positionals;
    if (tool === undefined) throw new Error('which meta-tool?');
    return { tool, args: JSON.parse(json), values };
  } catch (error) {
    console.error(`${error.message}
usage: node ask.mjs <meta-tool> [arguments as JSON] [--toolset "a,b"] [--url URL]`);
    process.exit(2);
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
