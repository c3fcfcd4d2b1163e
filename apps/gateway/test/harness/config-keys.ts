import { parseConfig } from '@gateway/gateway-config';

/** The keys of `config.yaml` without a default. */
export const KEYS_WITHOUT_DEFAULT = [
  'search.embeddings.keyFile',
  'search.embeddings.maxVectors',
  'search.embeddings.model',
  'search.embeddings.timeoutMs',
  'search.embeddings.url',
  'toolsetPresets',
  'audit.file',
  'auth.broker.upstream.authorizationParameters',
  'auth.broker.upstream.clientId',
  'auth.broker.upstream.clientSecretFile',
  'auth.broker.upstream.issuer',
  'auth.clientDocumentUrl',
  'auth.resource',
  'coreTools.writes',
  'http.publicUrl',
  'http.rateLimit.enabled',
  'health.host',
  'health.port',
  'kubernetes.context',
  'kubernetes.kubeconfig',
  'kubernetes.namespace',
  'state.caFile',
  'state.keyFile',
  'state.passwordFile',
  'state.url',
  'workflows.executionsDirectory',
  'workflows.maxExecutionBytes',
  'workflows.maxMemoryBytes',
];

const leavesOf = (value: unknown, path: string): readonly (readonly [string, unknown])[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
};

/** The default of `auth.broker` is that it is absent. */
const WITH_BROKER = {
  auth: { broker: { upstream: { issuer: 'https://login.example.com', clientId: 'gateway' } } },
};

/** Returns every key of `config.yaml` that has a default, such as `http.port`, with the default. */
export function configDefaults(): ReadonlyMap<string, unknown> {
  const parsed = parseConfig(WITH_BROKER);
  if (!parsed.ok) throw new Error('the defaults are refused');
  const leaves = leavesOf(parsed.config, '');
  return new Map(leaves.filter(([key]) => !KEYS_WITHOUT_DEFAULT.includes(key)));
}
