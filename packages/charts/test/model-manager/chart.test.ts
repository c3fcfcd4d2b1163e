import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { schemaRefusals } from '../harness/schema-refusals.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';

const CHART = 'model-manager';

describe('model-manager', () => {
  it('renders nothing unless it is registered', async () => {
    expect(await render(CHART)).toMatchObject({ ok: true, objects: [] });
  });

  it('is registered in the group and with the labels of the installation', async () => {
    const values = {
      service: { name: 'models', port: 9000 },
      muster: { mcpServer: { enabled: true } },
      labelDomain: 'ignored.example.com',
      global: { apiGroup: 'mine.example.com', labelDomain: 'labels.example.com' },
    };
    const rendered = await render(CHART, values, { release: '1e3', namespace: '7' });
    if (!rendered.ok) throw new Error(rendered.error);
    expect(kubernetesProblems(rendered.objects, { apiGroup: 'mine.example.com' })).toEqual([]);
    expect(rendered.objects).toMatchObject([
      {
        apiVersion: 'mine.example.com/v1alpha1',
        metadata: {
          namespace: '7',
          labels: {
            'mine.example.com/type': 'model-manager',
            'labels.example.com/tool-group': 'agent-platform',
            'app.kubernetes.io/instance': '1e3',
          },
        },
        spec: { url: 'http://models.7.svc.cluster.local:9000/mcp' },
      },
    ]);
  });

  it('refuses values that it does not have', async () => {
    const values = {
      replicas: 1,
      service: { name: 'Models' },
      muster: { mcpServer: { on: true } },
    };
    expect(await schemaRefusals(CHART, values, ['--set', 'muster=null'])).toEqual([
      '(root): Additional property replicas is not allowed',
      '(root): muster is required',
      "service.name: Does not match pattern '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
    ]);
    expect(await schemaRefusals(CHART, { muster: { mcpServer: { on: true } } })).toEqual([
      'muster.mcpServer: Additional property on is not allowed',
    ]);
  });
});
