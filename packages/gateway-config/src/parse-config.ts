import { isJsonObject } from '@gateway/call-contract';
import type { z } from 'zod';
import { configSchema } from './schema/config-schema.ts';

/** `config.yaml` with all defaults. The preset resolver parses `toolsetPresets`. */
export type GatewayConfig = z.infer<typeof configSchema>;

/** A problem of the configuration; `path` leads from the root of the document to the value. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The typed configuration, or every problem. */
export type ParsedConfig =
  | { readonly ok: true; readonly config: GatewayConfig }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/** Environment variables that override a key of `config.yaml`. */
export interface ConfigEnvironment {
  readonly GATEWAY_API_GROUP?: string | undefined;
  readonly GATEWAY_LABEL_DOMAIN?: string | undefined;
  /** `true` enables `kubernetes`. */
  readonly GATEWAY_KUBERNETES?: string | undefined;
  /** `true` enables `http.legacySse`. */
  readonly GATEWAY_LEGACY_SSE?: string | undefined;
}

/**
 * Parses the value of `config.yaml`; an absent file or an empty document gives the defaults.
 *
 * @param document the document's value, `undefined` when there is no file
 * @param environment overrides of `apiGroup`, `labelDomain`, `kubernetes.enabled` and `http.legacySse`
 */
export function parseConfig(document: unknown, environment: ConfigEnvironment = {}): ParsedConfig {
  const parsed = configSchema.safeParse(withoutShortForms(document ?? {}), { reportInput: true });
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.flatMap(toConfigIssues) };
  const { GATEWAY_API_GROUP: apiGroup, GATEWAY_LABEL_DOMAIN: labelDomain } = environment;
  const { kubernetes, http } = parsed.data;
  const isEnabled = kubernetes.enabled || environment.GATEWAY_KUBERNETES === 'true';
  const legacySse = http.legacySse || environment.GATEWAY_LEGACY_SSE === 'true';
  return {
    ok: true,
    config: {
      ...parsed.data,
      kubernetes: { ...kubernetes, enabled: isEnabled },
      http: { ...http, legacySse },
      ...(apiGroup ? { apiGroup } : {}),
      ...(labelDomain ? { labelDomain } : {}),
    },
  };
}

/** Returns the document with `kubernetes: true` written as a mapping. */
function withoutShortForms(document: unknown): unknown {
  if (!isJsonObject(document)) return document;
  const { kubernetes } = document;
  return typeof kubernetes === 'boolean' && Object.hasOwn(document, 'kubernetes')
    ? { ...document, kubernetes: { enabled: kubernetes } }
    : document;
}

function toConfigIssues(issue: z.core.$ZodIssue): readonly ConfigIssue[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${[...path, key].join('.')}: unknown key`,
    }));
  const reason = isMissing(issue) ? 'is required' : issue.message;
  return [{ path, message: [path.join('.'), reason].filter(Boolean).join(': ') }];
}

/** A rule of a whole group, such as those of `auth`, has the group as its input. */
const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code !== 'custom' && 'input' in issue && issue.input === undefined;
