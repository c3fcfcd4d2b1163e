/**
 * JSON schemas of the kinds of the agent runtime (v1alpha2), whose definitions no module has that can be built. Unknown fields are
 * forbidden. Structures of Kubernetes are judged by a real API server in long tests, and the charts set nothing in `ANYTHING`.
 */
const ANYTHING = {};
const OBJECT = { type: 'object' };
const TEXT = { type: 'string' };
const BOOLEAN = { type: 'boolean' };
const DURATION = { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$' };

const oneOf = (...texts: readonly string[]) => ({ enum: texts });
const listOf = (items: object, bounds: object = {}) => ({ type: 'array', items, ...bounds });
const mapOf = (additionalProperties: object) => ({ type: 'object', additionalProperties });
const structure = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const labelled = (additionalProperties: object) => ({
  type: 'object',
  propertyNames: {
    type: 'string',
    pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
  },
  additionalProperties,
});
const resource = (kind: string, spec: object) =>
  structure(
    {
      apiVersion: { const: 'kagent.dev/v1alpha2' },
      kind: { const: kind },
      metadata: structure(
        {
          name: { ...TEXT, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' },
          namespace: { ...TEXT, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
          labels: labelled({
            ...TEXT,
            maxLength: 63,
            pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
          }),
          annotations: labelled(TEXT),
        },
        'name',
      ),
      spec,
    },
    'apiVersion',
    'kind',
    'metadata',
    'spec',
  );

const NAMED = structure({ name: TEXT });
const OBJECT_KEY = { apiGroup: TEXT, kind: TEXT, name: TEXT, namespace: TEXT };
const NAMESPACES = structure({ from: oneOf('All', 'Same', 'Selector'), selector: OBJECT });
const VALUE_SOURCE = structure(
  {
    type: oneOf('ConfigMap', 'Secret'),
    name: { ...TEXT, maxLength: 253 },
    key: { ...TEXT, maxLength: 253 },
  },
  'type',
  'name',
  'key',
);
const VALUE_REFERENCE = structure({ name: TEXT, value: TEXT, valueFrom: VALUE_SOURCE }, 'name');

const TOOL = structure({
  type: oneOf('McpServer', 'Agent'),
  mcpServer: structure(
    {
      ...OBJECT_KEY,
      toolNames: listOf(TEXT, { maxItems: 50 }),
      requireApproval: listOf(TEXT, { maxItems: 50 }),
      allowedHeaders: listOf(TEXT),
    },
    'name',
  ),
  agent: structure(OBJECT_KEY, 'name'),
  headersFrom: listOf(VALUE_REFERENCE),
  isolateSessions: BOOLEAN,
});

const QUANTITIES = mapOf({ type: ['integer', 'string'] });
const TOLERATION = { key: TEXT, operator: TEXT, value: TEXT, effect: TEXT };

const DEPLOYMENT = structure({
  replicas: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  env: listOf(structure({ name: TEXT, value: TEXT, valueFrom: OBJECT }, 'name')),
  resources: structure({
    requests: QUANTITIES,
    limits: QUANTITIES,
    claims: listOf(structure({ name: TEXT, request: TEXT }, 'name')),
  }),
  nodeSelector: mapOf(TEXT),
  tolerations: listOf(structure({ ...TOLERATION, tolerationSeconds: { type: 'integer' } })),
  labels: mapOf(TEXT),
  annotations: mapOf(TEXT),
  imageRegistry: TEXT,
  imagePullPolicy: TEXT,
  imagePullSecrets: listOf(NAMED),
  volumes: listOf(OBJECT),
  volumeMounts: listOf(OBJECT),
  affinity: OBJECT,
  securityContext: OBJECT,
  podSecurityContext: OBJECT,
  serviceAccountName: TEXT,
  serviceAccountConfig: structure({ labels: mapOf(TEXT), annotations: mapOf(TEXT) }),
});

const GIT_REFERENCE = structure({ url: TEXT, path: TEXT, ref: TEXT, name: TEXT }, 'url');

/** The schema of an Agent. */
export const AGENT_SCHEMA = resource(
  'Agent',
  structure(
    {
      type: oneOf('Declarative', 'BYO'),
      declarative: structure({
        runtime: oneOf('python', 'go'),
        modelConfig: TEXT,
        systemMessage: TEXT,
        systemMessageFrom: VALUE_SOURCE,
        stream: BOOLEAN,
        tools: listOf(TOOL, { maxItems: 20 }),
        deployment: DEPLOYMENT,
        a2aConfig: OBJECT,
        context: OBJECT,
        memory: OBJECT,
        promptTemplate: OBJECT,
        shareTools: ANYTHING,
      }),
      byo: OBJECT,
      description: TEXT,
      iconUrl: TEXT,
      documentationUrl: TEXT,
      version: TEXT,
      skills: structure({
        refs: listOf(TEXT, { minItems: 1, maxItems: 20 }),
        gitRefs: listOf(GIT_REFERENCE, { minItems: 1, maxItems: 20 }),
        gitAuthSecretRef: NAMED,
        imagePullSecrets: listOf(NAMED),
        initContainer: OBJECT,
      }),
      allowedNamespaces: NAMESPACES,
      provider: ANYTHING,
      sandbox: ANYTHING,
    },
    'type',
  ),
);

const specOf = (properties: object) => ({ properties: { spec: { type: 'object', properties } } });

/** The schema of a RemoteMCPServer. */
export const REMOTE_MCP_SERVER_SCHEMA = {
  ...resource(
    'RemoteMCPServer',
    structure(
      {
        description: TEXT,
        url: { ...TEXT, minLength: 1 },
        protocol: oneOf('SSE', 'STREAMABLE_HTTP'),
        headersFrom: listOf(VALUE_REFERENCE),
        allowedHeaders: listOf(TEXT),
        timeout: DURATION,
        sseReadTimeout: DURATION,
        terminateOnClose: BOOLEAN,
        allowedNamespaces: NAMESPACES,
        tls: OBJECT,
      },
      'description',
      'url',
    ),
  ),
  if: specOf({ url: { ...TEXT, pattern: '^http://' } }),
  then: specOf({ tls: false }),
};
