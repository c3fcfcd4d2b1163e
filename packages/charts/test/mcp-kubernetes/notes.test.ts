import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

it('contains the endpoint, the registration and missing permissions', async () => {
  const texts = await templateTexts('mcp-kubernetes', '{{ include "mcp-kubernetes.notes" . }}', [
    {},
    { mcpServer: { enabled: false }, rbac: { create: false } },
  ]);
  const answers =
    'The server answers MCP at http://demo-mcp-kubernetes.demo-ns.svc.cluster.local:8080/mcp.';
  expect(texts).toEqual([
    `${answers}
It is registered as the MCPServer mcp-kubernetes. A gateway without muster.kubernetes.enabled reads files: add it to its values mcpservers there.`,
    `${answers}
It has no permissions in the cluster until a role is bound to the account demo-mcp-kubernetes.`,
  ]);
});
