import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

const NOTES = '{{ include "gateway.notes" . }}';

const stdio = { spec: { type: 'stdio', command: 'a' } };

it('tells how the gateway is reached, its presets, what to mind, and what comes next', async () => {
  const [defaults, full] = await templateTexts('gateway', NOTES, [
    {},
    {
      image: { registry: 'registry.example.com' },
      apiGroup: 'a.example',
      muster: {
        pinToolHints: true,
        http: { allowedHosts: ['*'], port: 9000 },
        toolsetPresets: { notes: { include: [] } },
      },
      mcpservers: {
        b: stdio,
        a: stdio,
        c: { spec: { type: 'sse', url: 'http://c', headers: { a: 'b' } } },
      },
      ingress: { enabled: true, hosts: [{ host: 'gateway.example.com' }] },
      service: { port: 80 },
      rbac: { create: true },
      replicas: 0,
    },
  ]);
  expect(`${String(defaults)}\n`).toMatchInlineSnapshot(`
    "gateway 5.13.0 is demo-gateway in namespace demo-ns.

    In the cluster:
      http://demo-gateway.demo-ns.svc.cluster.local:8090/mcp
    From here:
      kubectl --namespace demo-ns port-forward service/demo-gateway 8090:8090
      http://127.0.0.1:8090/mcp

    Presets, for the header X-Gateway-Toolset: preset:<name>:
      read-only, none, full

    Mind:
    - The image comes from registry.gateway.internal, a name that stands for your registry: set image.registry.
    - There are no servers yet: name some in mcpservers.
    - Events, declared tools and records of runs go with the pod: persistence.enabled keeps them.

    Next:
      kubectl --namespace demo-ns rollout status deployment/demo-gateway
      kubectl --namespace demo-ns exec deployment/demo-gateway -- gateway servers
    "
  `);
  expect(`${String(full)}\n`).toMatchInlineSnapshot(`
    "gateway 5.13.0 is demo-gateway in namespace demo-ns.

    In the cluster:
      http://demo-gateway.demo-ns.svc.cluster.local:80/mcp
    From outside:
      https://gateway.example.com/mcp

    Presets, for the header X-Gateway-Toolset: preset:<name>:
      read-only, none, full, notes

    Mind:
    - Servers of type stdio run inside of the pod, so the image needs their commands: a, b.
    - env and headers of these servers are in a ConfigMap, readable to more people than a Secret; mcpserversFrom takes Secrets: c.
    - Events, declared tools and records of runs go with the pod, and with them which tool hints were accepted: persistence.enabled keeps them.
    - Every Host is served: nothing protects from DNS rebinding.
    - replicas is 0: nothing runs.
    - The account's token is mounted, though this release reads files only.

    Next:
      kubectl --namespace demo-ns rollout status deployment/demo-gateway
      kubectl --namespace demo-ns exec deployment/demo-gateway -- gateway servers --url http://127.0.0.1:9000/mcp

    The CustomResourceDefinitions of this chart are of the API group gateway.internal. Those of a.example:
      kubectl --namespace demo-ns exec deployment/demo-gateway -- gateway crds --api-group a.example | kubectl apply -f -
    "
  `);
});
