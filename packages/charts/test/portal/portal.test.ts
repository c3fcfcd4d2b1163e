import { expect, describe, it } from 'vitest';
import { render, type ManifestObject } from '../../src/render.ts';
import { valuesOfCase } from '../harness/render-cases.ts';
import { schemaRefusals } from '../harness/schema-refusals.ts';
import { expectTexts, templateTexts } from '../harness/template-texts.ts';
import { deploymentOf, validObjects } from '../harness/rendered-objects.ts';

const CHART = 'portal';

const SIGN_IN = { issuer: 'https://login.example.com', clientId: 'portal' };
const specOf = (objects: readonly ManifestObject[], kind: string): unknown =>
  objects.find((object) => object.kind === kind)?.['spec'];

const PUBLIC = 'https://portal.example.com/';

describe('the chart portal', () => {
  it('is a Deployment without permissions and a Service', async () => {
    const objects = await validObjects(CHART, {});
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
      'Deployment demo-portal',
      'Service demo-portal',
      'ServiceAccount demo-portal',
    ]);
    const { spec } = deploymentOf(objects).template;
    expect(spec['automountServiceAccountToken']).toBe(false);
    expect(spec.containers).toMatchObject([
      {
        image: 'registry.gateway.internal/portal:0.239.0',
        args: [
          ...['serve', '--host', '0.0.0.0', '--port', '8070'],
          ...['--gateway', 'http://gateway.demo-ns.svc.cluster.local:8090/mcp'],
          ...['--label-domain', 'gateway.internal', '--log-format', 'json', '--log-level', 'info'],
        ],
      },
    ]);
  });

  it('passes its values to the container, secrets by reference, and has an Ingress at its URL', async () => {
    const objects = await validObjects(CHART, valuesOfCase(CHART, 'sign-in'));
    const { replicas, template } = deploymentOf(objects);
    const secret = (variable: string, name: string, key: string) => ({
      name: `PORTAL_${variable}`,
      valueFrom: { secretKeyRef: { name, key } },
    });
    const items = [{ key: 'client-secret', path: 'client-secret' }];
    expect([replicas, template.spec.volumes[0]]).toEqual([
      2,
      { name: 'client', secret: { secretName: 'portal', items } },
    ]);
    expect(template.spec.containers).toMatchObject([
      {
        args: [
          ...['serve', '--host', '0.0.0.0', '--port', '8070'],
          ...['--public-url', 'https://platform.example.com/portal/'],
          ...['--allowed-hosts', 'portal.internal.example.com'],
          ...['--gateway', 'http://muster.agent-platform:8090/mcp'],
          ...['--agent-manager', 'http://agent-manager.agent-platform:8080'],
          ...['--metrics', 'http://muster-metrics.agent-platform:9464/metrics'],
          ...['--label-domain', 'gateway.internal'],
          ...['--redis', 'rediss://portal@valkey.example.com:6379/1'],
          ...['--issuer', 'https://login.example.com', '--client-id', 'portal'],
          ...['--client-secret-file', '/etc/portal/client-secret'],
          ...['--scopes', 'openid offline_access groups'],
          ...['--resource', 'https://gateway.example.com/mcp', '--token', 'id_token'],
          ...['--log-format', 'json', '--log-level', 'warn'],
        ],
        env: [
          secret('REDIS_PASSWORD', 'valkey', 'of-the-portal'),
          secret('SESSION_KEY', 'portal', 'session-key'),
        ],
        volumeMounts: [{ name: 'client', mountPath: '/etc/portal', readOnly: true }],
      },
    ]);
    expect(specOf(objects, 'Ingress')).toEqual({
      ingressClassName: 'nginx',
      tls: [{ secretName: 'platform-tls', hosts: ['platform.example.com'] }],
      rules: [
        {
          host: 'platform.example.com',
          http: {
            paths: [
              {
                path: '/portal/',
                pathType: 'Prefix',
                backend: { service: { name: 'portal', port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    });
  });

  it('has the objects around its pods that are enabled', async () => {
    const objects = await validObjects(CHART, valuesOfCase(CHART, 'everything-around'));
    expect(specOf(objects, 'NetworkPolicy')).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'gateways' } } },
          ],
          ports: [{ protocol: 'TCP', port: 'http' }],
        },
      ],
      egress: [{ ports: [{ port: 53 }, { port: 53 }] }, { ports: [{ port: 8090 }] }],
    });
    expect(specOf(objects, 'PodDisruptionBudget')).toMatchObject({ maxUnavailable: '25%' });
    expect(specOf(objects, 'HorizontalPodAutoscaler')).toMatchObject({
      minReplicas: 2,
      maxReplicas: 4,
    });
    expect(specOf(objects, 'HTTPRoute')).toMatchObject({
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['portal.example.com'],
      rules: [{ backendRefs: [{ name: 'demo-portal', port: 80 }] }],
    });
    const { containers, volumes } = deploymentOf(objects).template.spec;
    expect(containers[0]).toMatchObject({
      env: expect.arrayContaining([
        { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ssl/company/ca.crt' },
      ]) as unknown,
      volumeMounts: [{ name: 'authorities', mountPath: '/etc/ssl/company', readOnly: true }],
    });
    expect(volumes).toMatchObject([
      { name: 'authorities', configMap: { name: 'company-authorities' } },
    ]);
  });

  it('refuses values that cannot work, naming the value', async () => {
    const pages =
      "and replicas accept each other's pages only with a shared key: name its Secret in sessionKey.existingSecret";
    await expectTexts(CHART, '{{ include "portal.problem" . }}', {
      [`replicas is 2, ${pages}`]: { replicas: 2 },
      [`autoscaling is enabled, ${pages}`]: { autoscaling: { enabled: true } },
      'replicas is 2, and replicas share sessions in a Redis server: name it in redis.url': {
        replicas: 2,
        publicUrl: PUBLIC,
        signIn: SIGN_IN,
        sessionKey: { existingSecret: 'portal' },
      },
      'redis.url is set, and sessions are stored encrypted: name the Secret of the key in sessionKey.existingSecret':
        { redis: { url: 'redis://valkey:6379' } },
      'signIn.issuer is set without the client of the portal there: set signIn.clientId': {
        signIn: { issuer: 'https://login.example.com' },
      },
      'signIn.issuer is set without the URL to which users return: set publicUrl': {
        signIn: SIGN_IN,
      },
      'signIn.clientId is set without the provider: set signIn.issuer': {
        signIn: { clientId: 'portal' },
      },
      'ingress.enabled needs publicUrl, which names its host and path': {
        ingress: { enabled: true },
      },
      'httpRoute.enabled needs httpRoute.parentRefs: name the Gateway that the route belongs to': {
        publicUrl: PUBLIC,
        httpRoute: { enabled: true },
      },
      'networkPolicy.enabled needs networkPolicy.from: nobody could reach the portal; name its proxy, or [{namespaceSelector: {}}] for every pod of the cluster':
        { networkPolicy: { enabled: true } },
      'networkPolicy.egress.enabled without networkPolicy.egress.rules allows DNS only: add rules for the gateway and for the services that the values name':
        { networkPolicy: { enabled: true, from: [{}], egress: { enabled: true } } },
    });
    const refused = { podDisruptionBudget: { enabled: true, minAvailable: 1 } };
    expect(await render(CHART, refused)).toMatchObject({
      error: expect.stringContaining(
        ': podDisruptionBudget.minAvailable 1 keeps 1 of 1 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods\n',
      ) as string,
    });
    expect(await render(CHART, { signIn: SIGN_IN })).toMatchObject({
      error: expect.stringContaining(': signIn.issuer is set without the URL') as string,
    });
  });

  it('refuses a password in the URL of the Redis server, and a secret among the values', async () => {
    const values = {
      redis: { url: 'redis://user:secret@valkey' },
      signIn: { clientSecret: 'secret' },
    };
    expect(await schemaRefusals(CHART, values)).toEqual([
      expect.stringMatching(/^redis\.url: Does not match pattern /u) as string,
      'signIn.clientSecret: Invalid type. Expected: object, given: string',
    ]);
  });

  it('says in NOTES where it is, and what is missing', async () => {
    const [plain = '', complete = ''] = await templateTexts(
      CHART,
      '{{ include "portal.notes" . }}',
      [
        {},
        {
          image: { registry: 'registry.example.com' },
          publicUrl: PUBLIC,
          signIn: SIGN_IN,
          redis: { url: 'redis://valkey:6379' },
          agentManager: { url: 'http://agent-manager:8080' },
        },
      ],
    );
    expect(plain).toContain('port-forward service/demo-portal 8070:8080');
    expect(plain.match(/^- .*$/gmu)).toEqual([
      '- The image comes from the placeholder registry.gateway.internal: set image.registry.',
      '- Users do not sign in: everyone who reaches the portal uses it. Set signIn.issuer.',
      '- The portal has no pages of agents: set agentManager.url.',
    ]);
    expect(complete)
      .toBe(`The portal 0.239.0 shows the gateway at http://gateway.demo-ns.svc.cluster.local:8090/mcp.

  kubectl --namespace demo-ns rollout status deployment/demo-portal

Browsers reach it at https://portal.example.com/, through a proxy of yours to the Service demo-portal.`);
  });
});
