import { parseConfig } from '@gateway/gateway-config';

/** The keys of `config.yaml` without a default. */
export const KEYS_WITHOUT_DEFAULT = [
  'http.publicUrl',
  'toolsetPresets',
  'audit.file',
  'coreTools.writes',
  'http.publicUrl',
  'http.rateLimit.enabled',
  'health.host',
  'health.port',
  'workflows.executionsDirectory',
  'workflows.maxMemoryBytes',
];

const leavesOf = (value: unknown, path: string): readonly (readonly [string, unknown])[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
};

/** Returns every key of `config.yaml` that has a default, such as `http.port`, with the default. */
export function configDefaults(): ReadonlyMap<string, unknown> {
  const parsed = parseConfig(undefined);
  if (!parsed.ok) throw new Error('the defaults are refused');
  return new Map(leavesOf(parsed.config, ''));
}
