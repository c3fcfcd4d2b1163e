import { z } from 'zod';
import { DEFAULT_API_GROUP, DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min.toString()} to ${max.toString()}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });

const flag = z.boolean({ error: 'must be true or false' });

const names = z
  .array(text, {
    error: 'must be a list',
  })
  .max(256, { error: 'must have at most 256 items' });

const domain = z
  .string({ error: 'must be a text' })
  .max(253, { error: 'must have at most 253 characters' })
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u, {
    error: 'must be a DNS name in lower case, such as gateway.internal',
  });

const MAPPING = { error: 'must be a mapping' };
const MIB = 1024 * 1024;

const httpSchema = z.strictObject(
  {
    host: text.default('127.0.0.1'),
    port: whole(0, 65_535).default(8090),
    allowedHosts: names.default([]),
    allowedOrigins: names.default([]),
    maxBodyBytes: whole(1024, 256 * MIB).default(4 * MIB),
    maxConcurrentRequests: whole(1, 100_000).default(256),
    maxSessions: whole(1, 1_000_000).default(1000),
    sessionIdleSeconds: whole(1, 86_400).default(1800),
    sessionMaxAgeSeconds: whole(60, 30 * 86_400).default(86_400),
    requestTimeoutSeconds: whole(1, 86_400).default(330),
    questionTimeoutSeconds: whole(1, 86_400).default(300),
    maxWaitingCalls: whole(1, 100_000).default(256),
    maxListenStreams: whole(1, 100_000).default(1000),
    listTtlSeconds: whole(0, 86_400).default(0),
    resourceTtlSeconds: whole(0, 86_400).default(0),
  },
  MAPPING,
);

const DAY_SECONDS = 86_400;

const workflowsSchema = z.strictObject(
  {
    executionsDirectory: text.optional(),
    maxExecutions: whole(1, 1_000_000).default(10_000),
    maxExecutionBytes: whole(MIB, 1024 * 1024 * MIB).default(1024 * MIB),
    executionMaxAgeSeconds: whole(60, 3650 * DAY_SECONDS).default(21 * DAY_SECONDS),
    maxDepth: whole(1, 64).default(8),
    maxLoopItems: whole(1, 1_000_000).default(1000),
    maxParallel: whole(1, 1000).default(32),
    toolTimeoutSeconds: whole(1, DAY_SECONDS).default(300),
    cleanupSeconds: whole(1, 3600).default(30),
    maxRenderedBytes: whole(1024, 256 * MIB).default(16 * MIB),
    maxRunBytes: whole(MIB, 16_384 * MIB).default(256 * MIB),
  },
  MAPPING,
);

const eventsSchema = z.strictObject(
  {
    maxEvents: whole(10, 100_000).default(5000),
    aggregationSeconds: whole(0, DAY_SECONDS).default(600),
  },
  MAPPING,
);

const serversSchema = z.strictObject(
  {
    stdioStartSeconds: whole(1, 600).default(10),
    healthIntervalSeconds: whole(1, 3600).default(30),
    healthTimeoutSeconds: whole(1, 600).default(10),
    healthFailures: whole(1, 100).default(3),
    healthSuccesses: whole(1, 100).default(2),
    backoffInitialMs: whole(10, 3_600_000).default(1000),
    backoffMaxSeconds: whole(1, DAY_SECONDS).default(60),
    maxConcurrentStarts: whole(1, 1000).default(24),
    maxMessageBytes: whole(64 * 1024, 1024 * MIB).default(64 * MIB),
    maxListItems: whole(1, 1_000_000).default(50_000),
  },
  MAPPING,
);

const detectSchema = z.strictObject({ allowPrivate: flag.default(false) }, MAPPING);

const configSchema = z.strictObject(
  {
    apiGroup: domain.default(DEFAULT_API_GROUP),
    labelDomain: domain.default(DEFAULT_LABEL_DOMAIN),
    stateDirectory: text.default('state'),
    pinToolHints: flag.default(false),
    events: eventsSchema.prefault({}),
    servers: serversSchema.prefault({}),
    detect: detectSchema.prefault({}),
    http: httpSchema.prefault({}),
    workflows: workflowsSchema.prefault({}),
    toolsetPresets: z.unknown().optional(),
  },
  MAPPING,
);

/** `config.yaml` with every default filled in. `toolsetPresets` is read by the preset resolver. */
export type GatewayConfig = z.infer<typeof configSchema>;

/** One problem of the configuration; `path` leads from the document's root to the value. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The typed configuration, or every problem of it. */
export type ParsedConfig =
  | { readonly ok: true; readonly config: GatewayConfig }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/** Environment variables that override a key of `config.yaml`. */
export interface ConfigEnvironment {
  readonly GATEWAY_API_GROUP?: string | undefined;
  readonly GATEWAY_LABEL_DOMAIN?: string | undefined;
}

/**
 * Parses the value of `config.yaml`; an absent file or an empty document gives the defaults.
 *
 * @param document the document's value, `undefined` when there is no file
 * @param environment overrides of `apiGroup` and `labelDomain`
 */
export function parseConfig(document: unknown, environment: ConfigEnvironment = {}): ParsedConfig {
  const parsed = configSchema.safeParse(document ?? {});
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.flatMap(configIssues) };
  const { GATEWAY_API_GROUP: apiGroup, GATEWAY_LABEL_DOMAIN: labelDomain } = environment;
  return {
    ok: true,
    config: {
      ...parsed.data,
      ...(apiGroup ? { apiGroup } : {}),
      ...(labelDomain ? { labelDomain } : {}),
    },
  };
}

function configIssues(issue: z.core.$ZodIssue): readonly ConfigIssue[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${[...path, key].join('.')}: unknown key`,
    }));
  return [{ path, message: [path.join('.'), issue.message].filter(Boolean).join(': ') }];
}
