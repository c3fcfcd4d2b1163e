import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

const server = { spec: { type: 'sse', url: 'http://wiki:8080/mcp' } };

it('contains the endpoint, presets, servers, and servers that it does not read', async () => {
  const texts = await templateTexts('standalone', '{{ include "standalone.notes" . }}', [
    { muster: { muster: { kubernetes: { enabled: false } } } },
    {},
    {
      muster: {
        muster: { kubernetes: { enabled: false } },
        mcpservers: { 'agent-manager': server },
        mcpserversFrom: [{ secret: 'servers', names: ['mcp-kubernetes'] }],
      },
    },
  ]);
  const installed = `The platform is installed as the release demo in the namespace demo-ns.

The gateway serves MCP at http://demo-gateway.demo-ns.svc:8090/mcp.
Toolset presets: agent-platform, infrastructure.

Registered as MCPServer:
  agent-manager (agent-manager)
  mcp-kubernetes (mcp-kubernetes)`;
  expect(texts).toEqual([
    `${installed}

This gateway reads files and no objects of the cluster. To serve them, set muster.muster.kubernetes.enabled, or add these servers to muster.mcpservers too: agent-manager, mcp-kubernetes.
See docs/charts/standalone.md, "Servers of the gateway".`,
    installed,
    installed,
  ]);
});
