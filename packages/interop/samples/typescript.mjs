import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const url = new URL(process.env.GATEWAY_URL ?? 'http://127.0.0.1:8090/mcp');
const headers = { 'X-Gateway-Toolset': 'server:everything' };
const client = new Client(
  { name: 'example', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const { content } = await client.callTool({
  name: 'call_tool',
  arguments: { name: 'x_everything_echo', arguments: { message: 'hello' } },
});
console.log(content[0].text);
await client.close();
