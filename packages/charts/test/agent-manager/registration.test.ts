import { describe, expect, it } from 'vitest';
import { parseManifestObjects, type ManifestObject } from '../../src/render.ts';
import { requirement } from '../requirement.ts';
import { templateTexts } from '../harness/template-texts.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';

const TOOL_GROUP = 'gateway.internal/tool-group';
const TYPE = 'gateway.internal/type';

const SERVICE = {
  'agent-manager': '(include "library.fullname" .)',
  'model-manager': '.Values.service.name',
};

type Registered = ManifestObject & { readonly spec: Readonly<Record<string, unknown>> };

interface Registration {
  readonly mcpServer?: object;
  readonly further?: object;
}

/** The registrations of a chart, one for each case, all sound. */
const registrations = async (
  chart: keyof typeof SERVICE,
  cases: readonly Registration[],
): Promise<readonly (Registered | undefined)[]> => {
  const values = cases.map(({ mcpServer, further }) => ({
    ...further,
    muster: { mcpServer: { enabled: true, ...mcpServer } },
  }));
  const body = `{{ include "library.registration" (dict "context" . "type" "${chart}" "service" ${SERVICE[chart]}) }}`;
  const texts = await templateTexts(chart, body, values);
  return texts.map((text) => {
    const objects = parseManifestObjects(text);
    expect(kubernetesProblems(objects)).toEqual([]);
    return objects[0] as Registered | undefined;
  });
};

const CASES: readonly Registration[] = [
  {},
  { mcpServer: { labels: { [TOOL_GROUP]: 'infrastructure', 'example.com/team': '1e3' } } },
  { mcpServer: { labels: { [TOOL_GROUP]: '', [TYPE]: 'mine', 'app.kubernetes.io/name': 'true' } } },
  { mcpServer: { enabled: false } },
  { mcpServer: { auth: { requiredAudiences: ['dex'] } } },
  {
    mcpServer: { auth: { requiredAudiences: ['dex', '.'] } },
    further: { oauth: { enabled: true } },
  },
  {
    mcpServer: { auth: { forwardToken: false }, name: '1e3', description: 'a: "b" {{ c }}\n🦊' },
    further: { oauth: { enabled: true }, clusterDomain: 'example.org' },
  },
  { mcpServer: { url: 'https://agents.example.com/mcp', autoStart: false } },
];

const [agent, model] = await Promise.all([
  registrations('agent-manager', CASES),
  registrations('model-manager', CASES),
]);

const labels = (server: Registered | undefined): unknown => server?.metadata.labels;

describe('the registration of a managed service', () => {
  requirement('2.3/stamping-agent-platform', () => {
    it('sets the tool group agent-platform on agent-manager and on model-manager', () => {
      expect(labels(agent[0])).toEqual({
        [TYPE]: 'agent-manager',
        [TOOL_GROUP]: 'agent-platform',
        'app.kubernetes.io/name': 'agent-manager',
        'app.kubernetes.io/instance': 'demo',
        'app.kubernetes.io/managed-by': 'Helm',
        'app.kubernetes.io/version': '0.4.0',
        'helm.sh/chart': 'agent-manager-0.4.0',
      });
      expect(labels(model[0])).toMatchObject({
        [TYPE]: 'model-manager',
        [TOOL_GROUP]: 'agent-platform',
      });
    });
  });

  requirement('2.3/stamping-override', () => {
    it.each([
      ['agent-manager', agent],
      ['model-manager', model],
    ])('takes the labels of the installation over its own: %s', (type, servers) => {
      expect(labels(servers[1])).toMatchObject({
        [TYPE]: type,
        [TOOL_GROUP]: 'infrastructure',
        'example.com/team': '1e3',
      });
      expect(labels(servers[2])).toMatchObject({
        [TYPE]: 'mine',
        [TOOL_GROUP]: '',
        'app.kubernetes.io/name': 'true',
        'app.kubernetes.io/instance': 'demo',
      });
    });
  });

  const labelledRelease = (chart: string) => ({
    'helm.sh/chart': chart,
    [TOOL_GROUP]: 'agent-platform',
  });

  requirement('9.2/agent-manager-label-0.3.0', () => {
    it('has the label in the version of the chart, which is above 0.3.0', () => {
      expect(labels(agent[0])).toMatchObject(labelledRelease('agent-manager-0.4.0'));
    });
  });

  requirement('9.2/model-manager-0.18.0', () => {
    it('has the label in the version of the chart', () => {
      expect(labels(model[0])).toMatchObject(labelledRelease('model-manager-0.18.0'));
    });
  });

  it('is omitted unless enabled', () => {
    expect(agent[3]).toBeUndefined();
    expect(model[3]).toBeUndefined();
  });

  it('refers to the Service in the namespace of the release, or to the configured URL', () => {
    const started = { autoStart: true, type: 'streamable-http', checkArguments: false };
    expect(agent[0]?.spec).toEqual({
      ...started,
      url: 'http://demo-agent-manager.demo-ns.svc.cluster.local:8080/mcp',
      description: 'Creates, changes and deletes agents, and reports their status.',
    });
    expect(model[0]?.spec).toEqual({
      ...started,
      url: 'http://model-manager.demo-ns.svc.cluster.local:8080/mcp',
      description: 'Lists and serves the models that agents may use.',
    });
    expect(model[6]?.spec['url']).toBe('http://model-manager.demo-ns.svc.example.org:8080/mcp');
    expect(model[7]?.spec).toMatchObject({
      url: 'https://agents.example.com/mcp',
      autoStart: false,
    });
  });

  it('has auth only when the service requires tokens', () => {
    expect(agent[4]?.spec).not.toHaveProperty('auth');
    expect(agent[5]?.spec['auth']).toEqual({
      type: 'oauth',
      forwardToken: true,
      requiredAudiences: ['dex', '.'],
    });
    expect(agent[6]?.spec['auth']).toEqual({ type: 'oauth', forwardToken: false });
  });

  it('preserves texts that look like other types', () => {
    expect(agent[6]?.metadata.name).toBe('1e3');
    expect(agent[6]?.spec['description']).toBe('a: "b" {{ c }}\n🦊');
  });
});
