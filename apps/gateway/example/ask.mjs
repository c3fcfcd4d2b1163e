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
  // The answer is printed: what happens to the session afterwards is no failure of the call.
  await transport.terminateSession().catch(() => undefined);
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
} finally {
  await client.close();
}

/** Codes of connections that were never open: only then was there no answer. */
function isUnreachable(code) {
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(
    code,
  );
}

function sentenceOf({ message, status, cause }) {
  if (isUnreachable(cause?.code))
    return `No answer from ${values.url}: ${cause.code}. Is the gateway running (npm start)?`;
  if (status !== undefined)
    return `${values.url} answers HTTP ${status}. Is it the endpoint of a gateway (npm start prints it)?`;
  if (cause?.code !== undefined)
    return `The connection to ${values.url} ended before the end of the answer: ${cause.code}.`;
  return `Failed: ${message}`;
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
