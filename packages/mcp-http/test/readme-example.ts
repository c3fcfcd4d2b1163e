import { createMcpHttp, serveHttp, type McpService } from '../src/index.ts';

// The same array means an unchanged list: it is written as JSON once.
const tools = [{ name: 'now', description: 'Returns the time', inputSchema: { type: 'object' } }];

const service: McpService = {
  info: { name: 'clock', version: '1.0.0' },
  capabilities: { tools: {} },
  list: () => ({ ok: true, items: tools }),
  call: () => ({
    ok: true,
    result: { content: [{ type: 'text', text: new Date().toISOString() }] },
  }),
};

export const serving = await serveHttp({
  host: '127.0.0.1',
  port: 0,
  mcp: createMcpHttp(service, { allowedHosts: ['clock.example'] }),
  routes: { '/healthz': (_request, response) => response.end('ok\n') },
});
// http://127.0.0.1:<port>/mcp answers MCP clients until:
// await serving.drain(10_000);
