// Generated from the definitions of the fields by `pnpm gen`.

/** Fields that have a meaning for servers of one kind only. */
export const KIND_FIELDS = {
  stdio: ['command', 'args', 'cwd', 'startTimeout', 'envFrom'],
  remote: ['url', 'headers', 'headersFrom', 'auth'],
} as const;

/** Fields of one kind that servers of the other kind must not have. */
export const REFUSED_ELSEWHERE = {
  stdio: ['args', 'cwd', 'startTimeout', 'envFrom'],
  remote: ['headers', 'headersFrom'],
} as const;

/** Fields whose change replaces the connections of a server. */
export const CONNECTION_FIELDS = {
  stdio: ['type', 'command', 'args', 'cwd', 'protocol', 'env'],
  remote: ['type', 'protocol', 'url', 'headers', 'auth'],
} as const;

/** Values that absent fields mean. */
export const UNSET_VALUES = { protocol: 'auto' } as const;

/** Maps whose values are secrets. */
export const SECRET_FIELDS = ['env', 'headers'] as const;

/** Fields in whose texts file mode replaces placeholders. */
export const PLACEHOLDER_FIELDS = ['args', 'url', 'env', 'headers'] as const;

/** Fields that do not decide where the values of a server are sent. */
export const NEUTRAL_FIELDS = [
  'toolPrefix',
  'family',
  'description',
  'autoStart',
  'startTimeout',
  'instances',
  'protocol',
  'timeout',
  'maxResultBytes',
  'checkArguments',
  'limits',
  'tools',
] as const;
