import { authSchema } from '@gateway/caller-auth';
import { DEFAULT_API_GROUP, DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';
import { DEFAULT_TIMEOUTS } from '@gateway/downstream';
import { RECORDER_LIMITS } from '@gateway/events';
import {
  DEFAULT_ENGINE_LIMITS,
  ISOLATION_LIMITS,
  RETENTION_LIMITS,
} from '@gateway/workflow-engine';
import { z } from 'zod';
import {
  DAY_SECONDS,
  domainName,
  flag,
  KEY_FACTS,
  MAPPING,
  MIB,
  text,
  texts,
  createWholeNumber,
} from './field-types.ts';
import { httpSchema } from './http-schema.ts';
import { serversSchema } from './servers-schema.ts';
import { DEFAULT_HEALTH_PORT, MAX_PORT, CORE_TOOL_WRITES } from '../defaults.ts';

const STORES = ['memory', 'redis'] as const;

/** The key `state`: where sign-ins and tokens are stored. */
const stateSchema = z.strictObject(
  {
    store: z
      .enum(STORES, { error: 'must be memory or redis' })
      .default('memory')
      .describe('`memory`: until the process ends; `redis`: in a Redis or Valkey server'),
    url: text
      .optional()
      .describe('the server: `redis://host:port/database`, or `rediss://` for TLS'),
    passwordFile: text
      .optional()
      .describe(
        'file with the password, relative to the configuration directory; environment: `GATEWAY_STATE_PASSWORD`',
      ),
    caFile: text
      .optional()
      .describe(
        'certificate authorities of the server in PEM, relative to the configuration directory; unset: those of Node.js',
      ),
    prefix: text
      .max(64, { error: 'must have at most 64 characters' })
      .default('gateway:')
      .describe('beginning of all names in the server; gateways with the same prefix share state'),
    keyFile: text
      .optional()
      .describe(
        'file with the key that encrypts state in the server, and in a second line the previous key, relative to the configuration directory; environment: `GATEWAY_STATE_KEY`, `GATEWAY_STATE_KEY_PREVIOUS`',
      ),
  },
  MAPPING,
);

const MAX_GROUPS = 1000;
const MAX_WORDS = 32;
const MAX_WORD_CHARS = 64;

const LIST = { error: 'must be a list' };

const word = text
  .max(MAX_WORD_CHARS, { error: `must have at most ${MAX_WORD_CHARS.toString()} characters` })
  .regex(/^[^,]*\p{L}[^,]*$/u, { error: 'must have a letter and no comma' });

const group = z
  .array(word, LIST)
  .min(2, { error: 'must have at least 2 items' })
  .max(MAX_WORDS, { error: `must have at most ${MAX_WORDS.toString()} items` });

/** Returns whether a text is a URL without a part that could hold a secret. */
const isPlainUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return [username, password, search, hash].every((part) => part === '');
};

const endpoint = text.refine((value) => /^https?:\/\//u.test(value) && isPlainUrl(value), {
  error: 'must be a URL with https or http, without credentials, query and fragment',
});

const embeddingsSchema = z.strictObject(
  {
    url: endpoint.describe(
      'OpenAI-compatible endpoint, such as `https://host/v1/embeddings`; `http` is for loopback and private addresses',
    ),
    model: text
      .max(256, { error: 'must have at most 256 characters' })
      .describe('model to request'),
    keyFile: text
      .optional()
      .describe(
        'file with the key of the endpoint, relative to the configuration directory; environment: `GATEWAY_EMBEDDINGS_KEY`',
      ),
    timeoutMs: createWholeNumber(100, 60_000)
      .default(2000)
      .describe(
        'time that a search waits for the vector of its query; then words alone are ranked',
      ),
    maxVectors: createWholeNumber(100, 200_000)
      .default(20_000)
      .describe('cached vectors of tools; the least recently used ones are evicted'),
  },
  MAPPING,
);

/** The key `search`: the search of `filter_tools`. */
const searchSchema = z.strictObject(
  {
    synonyms: z
      .array(group, LIST)
      .max(MAX_GROUPS, { error: `must have at most ${MAX_GROUPS.toString()} items` })
      .default([])
      .describe(
        'lists of words and phrases that mean the same in this installation, in addition to the general thesaurus',
      ),
    embeddings: embeddingsSchema
      .optional()
      .describe(
        'vectors of tools and queries, which are ranked in addition to their words; unset: none',
      ),
  },
  MAPPING,
);

const limits = DEFAULT_ENGINE_LIMITS;
const retention = RETENTION_LIMITS;
const isolation = ISOLATION_LIMITS;

/** The key `workflows`: limits of runs and of their records. */
const workflowsSchema = z.strictObject(
  {
    executionsDirectory: text
      .optional()
      .describe(
        'directory for records of runs, relative to the configuration directory; without it records stay in memory, and with `kubernetes.enabled` they are objects of the cluster',
      ),
    maxExecutions: createWholeNumber(1, 1_000_000)
      .default(retention.maxRecords)
      .describe('maximum stored records; the oldest are deleted'),
    maxExecutionBytes: createWholeNumber(MIB, 1024 * 1024 * MIB)
      .optional()
      .describe(
        'maximum total size of records; the oldest are deleted; without it 1 GiB, and 256 MiB as objects of a cluster',
      ),
    executionMaxAgeSeconds: createWholeNumber(60, 3650 * DAY_SECONDS)
      .default(retention.maxAgeMs / 1000)
      .describe('maximum age of a record; older ones are deleted every hour'),
    maxDepth: createWholeNumber(1, 64)
      .default(limits.maxDepth)
      .describe('maximum nesting of workflows'),
    maxLoopItems: createWholeNumber(1, 1_000_000)
      .default(limits.maxLoopItems)
      .describe('maximum items of one `forEach`'),
    maxParallel: createWholeNumber(1, 1000)
      .default(limits.maxParallel)
      .describe('concurrent sub-steps of one `parallel`'),
    toolTimeoutSeconds: createWholeNumber(1, DAY_SECONDS)
      .default(limits.toolTimeoutMs / 1000)
      .describe('time limit of a step'),
    cleanupSeconds: createWholeNumber(1, 3600)
      .default(limits.cleanupMs / 1000)
      .describe('time limit of all `onFailure` handlers of a cancelled run'),
    maxRenderedBytes: createWholeNumber(1024, 256 * MIB)
      .default(limits.maxRenderedBytes)
      .describe('maximum size of one rendered value, and of all arguments of one call'),
    maxRunBytes: createWholeNumber(MIB, 16_384 * MIB)
      .default(limits.maxRunBytes)
      .describe('approximate maximum memory for arguments and results of one run'),
    maxMemoryBytes: createWholeNumber(MIB, 16_384 * MIB)
      .optional()
      .describe(
        'approximate maximum memory for arguments and results of all runs of a process; without it a quarter of the heap limit',
      ),
    maxRunSteps: createWholeNumber(1000, 1_000_000_000)
      .default(limits.maxRunSteps)
      .describe(
        'maximum steps of all templates of one run; reading or making many bytes counts as steps, and a call as 500',
      ),
    renderProcesses: createWholeNumber(1, 64)
      .default(isolation.processes)
      .describe('processes that render large templates; each starts when it is needed'),
    renderMemoryBytes: createWholeNumber(32 * MIB, 16_384 * MIB)
      .default(isolation.memoryBytes)
      .describe('heap limit of a process that renders large templates'),
    renderTimeoutSeconds: createWholeNumber(1, 3600)
      .default(isolation.timeoutMs / 1000)
      .describe('time limit of one large rendering'),
  },
  MAPPING,
);

/** The key `kubernetes`: servers and workflows are the objects of a cluster. */
const kubernetesSchema = z.strictObject(
  {
    enabled: flag
      .default(false)
      .describe(
        'read `MCPServer` and `Workflow` objects of a cluster instead of files; environment: `GATEWAY_KUBERNETES=true`',
      ),
    kubeconfig: text
      .optional()
      .describe(
        'kubeconfig, relative to the configuration directory; unset: `KUBECONFIG`, the service account of the pod, `~/.kube/config`',
      ),
    context: text.optional().describe('context of the kubeconfig; unset: its current context'),
    namespaces: texts.default([]).describe('namespaces whose objects are used; none: all'),
    namespace: text
      .optional()
      .describe(
        'namespace of the gateway, for new definitions and its Lease; unset: that of the pod or the context',
      ),
    lease: text
      .default('gateway')
      .describe('Lease by which one replica is elected, which writes statuses'),
    secretNamespaces: texts
      .default([])
      .describe('other namespaces whose Secrets a server may name in `clientCredentialsSecretRef`'),
    allowStdio: flag
      .default(false)
      .describe('start stdio servers of the cluster, which are commands in the pod of the gateway'),
  },
  MAPPING,
);

/** The key `health`: readiness, and the listener for probes and metrics. */
const healthSchema = z.strictObject(
  {
    enabled: flag
      .default(true)
      .describe(
        'listen on an own port for `/healthz`, `/readyz` and `/metrics`; `--no-health-listener` overrides it',
      ),
    host: text.optional().describe('listen address of this port; unset: that of the endpoint'),
    port: createWholeNumber(0, MAX_PORT)
      .optional()
      .describe(
        `this port, 0 for any; \`--health-port\` overrides it; unset: ${DEFAULT_HEALTH_PORT.toString()}, or none with a warning when it is in use`,
      ),
    readySeconds: createWholeNumber(0, 600)
      .default(DEFAULT_TIMEOUTS.settleMs / 1000)
      .describe('maximum time for which starting servers delay `/readyz`'),
  },
  MAPPING,
);

/** The key `metaTools`: the answers of the meta-tools. */
const metaToolsSchema = z.strictObject(
  {
    pageSize: createWholeNumber(0, 100_000)
      .default(100)
      .describe(
        'entries of a list of `list_tools`, `list_resources` and `list_prompts` without `limit`; 0: all',
      ),
  },
  MAPPING,
);

const eventsSchema = z.strictObject(
  {
    maxEvents: createWholeNumber(10, 100_000)
      .default(RECORDER_LIMITS.maxEvents)
      .describe('stored events of servers, of workflows and of the configuration each'),
    aggregationSeconds: createWholeNumber(0, DAY_SECONDS)
      .default(RECORDER_LIMITS.aggregationMs / 1000)
      .describe('identical events in this window are aggregated'),
  },
  MAPPING,
);

const detectSchema = z.strictObject(
  {
    allowPrivate: flag
      .default(false)
      .describe('permit private and loopback addresses in `core_mcpserver_detect`'),
  },
  MAPPING,
);

const auditSchema = z.strictObject(
  {
    file: text
      .optional()
      .describe(
        'audit log, relative to the configuration directory; `-` is standard output; unset: no audit log',
      ),
    maxBytes: createWholeNumber(65_536, 1024 * 1024 * MIB)
      .default(64 * MIB)
      .describe('size after which the audit log is rotated, in bytes'),
    maxFiles: createWholeNumber(1, 100)
      .default(10)
      .describe('maximum files of the audit log; the oldest are deleted'),
  },
  MAPPING,
);

const coreToolsSchema = z.strictObject(
  {
    writes: z
      .enum(CORE_TOOL_WRITES, { error: 'must be all, workflows or none' })
      .optional()
      .describe(
        'core tools that write: `all`, `workflows` or `none`; unset: `all` on a loopback address and with sign-in, else `none`',
      ),
    secretReferences: flag
      .default(false)
      .describe(
        'core tools that write servers accept references to Secrets and ConfigMaps and placeholders of variables and files, and callers of these tools can then receive each value that the gateway may read',
      ),
  },
  MAPPING,
);

/** `config.yaml`: every key with its bounds, its default and its meaning. The preset resolver parses `toolsetPresets`. */
export const configSchema = z.strictObject(
  {
    apiGroup: domainName
      .default(DEFAULT_API_GROUP)
      .describe('API group of the resources; environment: `GATEWAY_API_GROUP`'),
    labelDomain: domainName
      .default(DEFAULT_LABEL_DOMAIN)
      .describe('domain of platform labels; environment: `GATEWAY_LABEL_DOMAIN`'),
    stateDirectory: text
      .default('state')
      .describe(
        'directory for events, declared tools, counts of calls and the session key, relative to the configuration directory',
      ),
    pinToolHints: flag
      .default(false)
      .describe('ignore a `readOnlyHint` that changes to true until it is accepted'),
    events: eventsSchema.prefault({}).describe('stored events'),
    kubernetes: kubernetesSchema
      .prefault({})
      .describe('definitions from a cluster instead of files; `true` stands for `enabled: true`'),
    servers: serversSchema.prefault({}).describe('start and health checks of servers'),
    detect: detectSchema.prefault({}).describe('permitted addresses of `core_mcpserver_detect`'),
    audit: auditSchema.prefault({}).describe('the audit log'),
    coreTools: coreToolsSchema.prefault({}).describe('core tools'),
    http: httpSchema
      .prefault({})
      .describe('the endpoint')
      .register(KEY_FACTS, { isChangeable: true }),
    auth: authSchema.prefault({}).describe('how callers sign in'),
    health: healthSchema
      .prefault({})
      .describe('readiness, and the listener for probes and metrics'),
    state: stateSchema.prefault({}).describe('storage of sign-ins and tokens'),
    workflows: workflowsSchema.prefault({}).describe('runs of workflows'),
    search: searchSchema.prefault({}).describe('the search of `filter_tools`'),
    metaTools: metaToolsSchema.prefault({}).describe('answers of the meta-tools'),
    toolsetPresets: z
      .unknown()
      .optional()
      .describe('presets by name')
      .register(KEY_FACTS, { isReloadable: true, isChangeable: true }),
  },
  MAPPING,
);

type ConfigKey = keyof typeof configSchema.shape;

/** Returns the keys at the top level with a fact. */
const listKeys = (fact: 'isReloadable' | 'isChangeable'): readonly ConfigKey[] =>
  (Object.keys(configSchema.shape) as ConfigKey[]).filter(
    (key) => KEY_FACTS.get(configSchema.shape[key])?.[fact] === true,
  );

/** The keys whose new values take effect in a running gateway. */
export const RELOADABLE_KEYS: readonly string[] = listKeys('isReloadable');

/** The keys that commands of a running gateway can change. */
export const CHANGEABLE_KEYS: readonly string[] = listKeys('isChangeable');
