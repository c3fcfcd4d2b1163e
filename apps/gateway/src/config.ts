import { z } from 'zod';
import { DEFAULT_API_GROUP, DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';

const port = z.int().min(0).max(65_535);
const seconds = z.int().min(1).max(86_400);

const httpSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(8090),
  allowedHosts: z.array(z.string().min(1)).max(256).default([]),
  allowedOrigins: z.array(z.string().min(1)).max(256).default([]),
  maxBodyBytes: z
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .default(4 * 1024 * 1024),
  maxConcurrentRequests: z.int().min(1).max(100_000).default(256),
  maxSessions: z.int().min(1).max(1_000_000).default(1000),
  sessionIdleSeconds: seconds.default(1800),
  requestTimeoutSeconds: seconds.default(330),
});

const configSchema = z.strictObject({
  apiGroup: z.string().min(1).max(253).default(DEFAULT_API_GROUP),
  labelDomain: z.string().min(1).max(253).default(DEFAULT_LABEL_DOMAIN),
  http: httpSchema.prefault({}),
  toolsetPresets: z.unknown().optional(),
});

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
  const at = path.length === 0 ? 'config.yaml' : path.join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${[...path, key].join('.')}: unknown key`,
    }));
  return [{ path, message: `${at}: ${issue.message}` }];
}
