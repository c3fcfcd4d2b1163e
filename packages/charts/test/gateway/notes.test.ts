import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

const NOTES = '{{ include "gateway.notes" . }}';

const stdio = { spec: { type: 'stdio', command: 'a' } };

it('contains the endpoint, presets, notes and next steps', async () => {
  const [defaults, full] = await templateTexts('gateway', NOTES, [
    {},
    {
      image: { registry: 'registry.example.com' },
      apiGroup: 'a.example',
      muster: {
        pinToolHints: true,
        coreTools: { writes: 'all' },
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

    Notes:
    - The image comes from the placeholder registry.gateway.internal: set image.registry.
    - There are no servers: add them to mcpservers.
    - Events, declared tools and records of runs are deleted with the pod: set persistence.enabled to store them.

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

    Notes:
    - Servers of type stdio run inside the pod, so the image must contain their commands: a, b.
    - env and headers of these servers are not in a Secret; use mcpserversFrom for Secrets: c.
    - Events, declared tools and records of runs, and accepted tool hints, are deleted with the pod: set persistence.enabled to store them.
    - Every Host is permitted: there is no protection from DNS rebinding.
    - Every client of the endpoint can run commands in the pod: muster.coreTools.writes is all.
    - Everybody who reaches gateway.example.com is one anonymous user: set muster.auth.mode.
    - replicas is 0: nothing runs.

    Next:
      kubectl --namespace demo-ns rollout status deployment/demo-gateway
      kubectl --namespace demo-ns exec deployment/demo-gateway -- gateway servers --url http://127.0.0.1:9000/mcp

    The CustomResourceDefinitions of this chart are of the API group gateway.internal. Those of a.example:
      kubectl --namespace demo-ns exec deployment/demo-gateway -- gateway crds --api-group a.example | kubectl apply -f -
    "
  `);
});

it('contains what sign-in lacks, and how to sign in', async () => {
  const issuer = 'https://login.example.com';
  const broker = { upstream: { issuer, clientId: 'gateway' } };
  const http = { publicUrl: 'https://gateway.example.com/' };
  const [notes, complete] = await templateTexts('gateway', NOTES, [
    {
      muster: { http, auth: { mode: 'broker', broker } },
      httpRoute: { enabled: true, hostnames: ['mcp.example.com'] },
    },
    {
      muster: { http, auth: { mode: 'broker', broker }, state: { store: 'redis' } },
      ingress: { enabled: true, hosts: [{ host: 'gateway.example.com' }] },
    },
  ]);
  const lines = [
    '- muster.http.publicUrl has the host gateway.example.com, which neither ingress nor httpRoute has.',
    '- Everybody signs in again after the pod ended: name a server in muster.state to store sign-ins.',
  ];
  for (const line of lines) {
    expect(notes).toContain(line);
    expect(complete).not.toContain(line);
  }
  for (const text of [notes, complete]) {
    expect(text).toContain('gateway auth login https://gateway.example.com/mcp');
    expect(text).not.toContain('anonymous');
  }
});
