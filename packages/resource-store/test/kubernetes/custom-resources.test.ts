import { defineRequirements } from '@gateway/repo-checks';
import { parseWorkflow } from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { openedStore, serverObject, startGatewayCluster, workflowObject } from './cluster-store.ts';

const requirement = defineRequirements(requirements);

requirement('1.5/custom-resources', () => {
  it('reads servers and workflows that are objects, when it opens and afterwards', async () => {
    const { api, kubeconfig } = await startGatewayCluster();
    api.apply(serverObject('wiki'));
    api.apply(workflowObject('greet', 'x_wiki_read', 'tenant'));
    const store = await openedStore(kubeconfig);
    const names = () => {
      const { servers, workflows } = store.current();
      return [
        ...servers.map(({ metadata }) => metadata.name),
        ...workflows.map(({ name }) => name),
      ];
    };
    expect(names()).toEqual(['wiki', 'greet']);
    api.apply(serverObject('later', { namespace: 'tenant' }));
    api.remove('Workflow', { namespace: 'tenant', name: 'greet' });
    await expect.poll(names).toEqual(['later', 'wiki']);
  });

  it('writes both kinds as objects', async () => {
    const { api, kubeconfig } = await startGatewayCluster();
    const store = await openedStore(kubeconfig);
    const server = {
      ...{ apiVersion: 'gateway.internal/v1alpha1', kind: 'MCPServer', metadata: { name: 'wiki' } },
      spec: { type: 'streamable-http', url: 'http://wiki.example/mcp' },
    };
    const parsed = parseWorkflow(workflowObject('greet'));
    if (!parsed.ok) throw new Error('invalid workflow');
    expect(await store.servers.create(server)).toEqual({ kind: 'done' });
    expect(await store.workflows.create(parsed.value.workflow)).toEqual({ kind: 'done' });
    const stored = [
      { kind: 'MCPServer', resource: 'mcpservers', name: 'wiki', spec: server.spec },
      {
        ...{ kind: 'Workflow', resource: 'workflows', name: 'greet' },
        spec: { description: 'A workflow.', steps: [{ id: 'one', tool: 'x_a' }] },
      },
    ];
    for (const { kind, resource, name, spec } of stored) {
      const definition = { group: 'gateway.internal', version: 'v1alpha1', kind, resource };
      const object = api.history.get(definition, { namespace: 'default', name });
      expect(object?.['spec']).toEqual(spec);
    }
  });
});
