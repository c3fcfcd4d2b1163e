import { defineRequirements } from '@gateway/repo-checks';
import { parseWorkflow } from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { openedCluster, serverObject, workflowObject, WORKFLOW_KIND } from './cluster-store.ts';

const requirement = defineRequirements(requirements);

requirement('1.5/custom-resources', () => {
  it('reads servers and workflows that are objects, when it opens and afterwards', async () => {
    const greet = workflowObject('greet', 'x_wiki_read', 'tenant');
    const { api, store, names } = await openedCluster([serverObject('wiki'), greet]);
    const all = () => [...names(), ...store.current().workflows.map(({ name }) => name)];
    expect(all()).toEqual(['wiki', 'greet']);
    api.apply(serverObject('later', { namespace: 'tenant' }));
    api.remove('Workflow', { namespace: 'tenant', name: 'greet' });
    await expect.poll(all).toEqual(['later', 'wiki']);
  });

  it('writes both kinds as objects', async () => {
    const { api, store, find } = await openedCluster([]);
    const { metadata, ...server } = serverObject('wiki');
    const parsed = parseWorkflow(workflowObject('greet'));
    if (!parsed.ok) throw new Error('invalid workflow');
    const document = { ...server, metadata: { name: metadata.name } };
    expect(await store.servers.create(document)).toEqual({ kind: 'done' });
    expect(await store.workflows.create(parsed.value.workflow)).toEqual({ kind: 'done' });
    expect(find('wiki')?.['spec']).toEqual({
      type: 'streamable-http',
      url: 'http://wiki.example/mcp',
    });
    const key = { namespace: 'default', name: 'greet' };
    const greet = { description: 'A workflow.', steps: [{ id: 'one', tool: 'x_a' }] };
    expect(api.history.get(WORKFLOW_KIND, key)?.['spec']).toEqual(greet);
  });
});
