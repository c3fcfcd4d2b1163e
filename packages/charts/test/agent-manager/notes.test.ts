import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

it('tells which namespaces are managed, how the service is reached, and what is left to do', async () => {
  const texts = await templateTexts('agent-manager', '{{ include "agent-manager.notes" . }}', [
    { rbac: { create: false } },
    { additionalNamespaces: ['team'], muster: { mcpServer: { enabled: true, name: 'agents' } } },
  ]);
  expect(texts).toEqual([
    `agent-manager 0.4.0 manages agents in: kagent.

  kubectl --namespace demo-ns rollout status deployment/demo-agent-manager
  kubectl --namespace demo-ns port-forward service/demo-agent-manager 8080:8080
  curl http://127.0.0.1:8080/readyz

It is not registered at the gateway: set muster.mcpServer.enabled=true where the gateway's MCPServer kind is installed.

rbac.create is false: the account demo-agent-manager needs its rights in each of these namespaces from someone else.`,
    `agent-manager 0.4.0 manages agents in: kagent, team.

  kubectl --namespace demo-ns rollout status deployment/demo-agent-manager
  kubectl --namespace demo-ns port-forward service/demo-agent-manager 8080:8080
  curl http://127.0.0.1:8080/readyz

The gateway serves its tools as x_agents_<tool>. A gateway that reads files only, as 5.13 does, needs the MCPServer agents among its values mcpservers too.`,
  ]);
});
