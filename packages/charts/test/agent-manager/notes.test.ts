import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

it('contains the managed namespaces, the endpoint and remaining steps', async () => {
  const texts = await templateTexts('agent-manager', '{{ include "agent-manager.notes" . }}', [
    { rbac: { create: false } },
    { additionalNamespaces: ['team'], muster: { mcpServer: { enabled: true, name: 'agents' } } },
  ]);
  expect(texts).toEqual([
    `agent-manager 0.4.0 manages agents in: kagent.

  kubectl --namespace demo-ns rollout status deployment/demo-agent-manager
  kubectl --namespace demo-ns port-forward service/demo-agent-manager 8080:8080
  curl http://127.0.0.1:8080/readyz

It is not registered with the gateway: set muster.mcpServer.enabled=true where the CRD MCPServer is installed.

rbac.create is false: the account demo-agent-manager requires permissions in each of these namespaces.`,
    `agent-manager 0.4.0 manages agents in: kagent, team.

  kubectl --namespace demo-ns rollout status deployment/demo-agent-manager
  kubectl --namespace demo-ns port-forward service/demo-agent-manager 8080:8080
  curl http://127.0.0.1:8080/readyz

The gateway serves its tools as x_agents_<tool>. A gateway without muster.kubernetes.enabled reads files: add the MCPServer agents to its values mcpservers there.`,
  ]);
});
