import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

it('tells where the server answers, how it is registered, and which rights it waits for', async () => {
  const texts = await templateTexts('mcp-kubernetes', '{{ include "mcp-kubernetes.notes" . }}', [
    {},
    { mcpServer: { enabled: false }, rbac: { create: false } },
  ]);
  const answers =
    'The server answers MCP at http://demo-mcp-kubernetes.demo-ns.svc.cluster.local:8080/mcp.';
  expect(texts).toEqual([
    `${answers}
It is registered as the MCPServer mcp-kubernetes. A gateway that reads files only, as 5.13 does, needs it among its values mcpservers too.`,
    `${answers}
It has no rights in the cluster until someone binds a role to the account demo-mcp-kubernetes.`,
  ]);
});
