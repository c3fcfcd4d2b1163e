import { authSchema } from '@gateway/caller-auth';
import { DEFAULT_API_GROUP, DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';
import { RECORDER_LIMITS } from '@gateway/events';
import { z } from 'zod';
import { DAY_SECONDS, domainName, flag, MAPPING, MIB, text, wholeNumber } from './field-types.ts';
import { healthSchema } from './health-schema.ts';
import { httpSchema } from './http-schema.ts';
import { kubernetesSchema } from './kubernetes-schema.ts';
import { CORE_TOOL_WRITES } from '../write-levels.ts';
import { searchSchema } from './search-schema.ts';
import { serversSchema } from './servers-schema.ts';
import { stateSchema } from './state-schema.ts';
import { workflowsSchema } from './workflows-schema.ts';

const eventsSchema = z.strictObject(
  {
    maxEvents: wholeNumber(10, 100_000)
      .default(RECORDER_LIMITS.maxEvents)
      .describe('stored events of servers, of workflows and of the configuration each'),
    aggregationSeconds: wholeNumber(0, DAY_SECONDS)
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
    maxBytes: wholeNumber(65_536, 1024 * 1024 * MIB)
      .default(64 * MIB)
      .describe('size after which the audit log is rotated, in bytes'),
    maxFiles: wholeNumber(1, 100)
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
        'core tools that write: `all`, `workflows` or `none`; unset: `all` on a loopback address, else `none`',
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
        'directory for events, declared tools and the session key, relative to the configuration directory',
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
    http: httpSchema.prefault({}).describe('the endpoint'),
    auth: authSchema.prefault({}).describe('how callers sign in'),
    health: healthSchema
      .prefault({})
      .describe('readiness, and the listener for probes and metrics'),
    state: stateSchema.prefault({}).describe('storage of sign-ins and tokens'),
    workflows: workflowsSchema.prefault({}).describe('runs of workflows'),
    search: searchSchema.prefault({}).describe('the search of `filter_tools`'),
    toolsetPresets: z.unknown().optional().describe('presets by name'),
  },
  MAPPING,
);
