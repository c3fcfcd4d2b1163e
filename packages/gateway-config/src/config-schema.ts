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
    host: text.default('127.0.0.1').describe('address to listen on; `--host` wins'),
    port: whole(0, 65_535).default(8090).describe('port to listen on, 0 for any; `--port` wins'),
    allowedHosts: names
      .default([])
      .describe('further `Host` values that are served (protection from DNS rebinding)'),
    allowedOrigins: names.default([]).describe('further browser origins that are served'),
    maxBodyBytes: whole(1024, 256 * MIB)
      .default(4 * MIB)
      .describe('largest request body, in bytes'),
    maxConcurrentRequests: whole(1, 100_000)
      .default(256)
      .describe('requests in progress at once; one more is refused with 503'),
    maxSessions: whole(1, 1_000_000)
      .default(1000)
      .describe('sessions kept; the one that was idle longest gives way'),
    sessionIdleSeconds: whole(1, 86_400).default(1800).describe('a session idle for longer ends'),
    sessionMaxAgeSeconds: whole(60, 30 * 86_400)
      .default(86_400)
      .describe('a session ends at this age, however much it is used'),
    requestTimeoutSeconds: whole(1, 86_400)
      .default(330)
      .describe('a request that runs longer is ended; a server has 30 less, at least 300'),
    questionTimeoutSeconds: whole(1, 86_400)
      .default(300)
      .describe('how long a client has to answer a question, within its request'),
    maxWaitingCalls: whole(1, 100_000)
      .default(256)
      .describe('calls of 2026-07-28 clients that wait for the answer to a question'),
    maxListenStreams: whole(1, 100_000)
      .default(1000)
      .describe('open streams of 2026-07-28 clients that listen for changes'),
    listTtlSeconds: whole(0, 86_400)
      .default(0)
      .describe('how long 2026-07-28 clients are told that they may keep a list'),
    resourceTtlSeconds: whole(0, 86_400)
      .default(0)
      .describe(
        'how long they are told that they may keep a resource whose server does not say so',
      ),
  },
  MAPPING,
);

const DAY_SECONDS = 86_400;

const workflowsSchema = z.strictObject(
  {
    executionsDirectory: text
      .optional()
      .describe(
        'folder for the records of runs, from the configuration directory; without it they are lost at the end',
      ),
    maxExecutions: whole(1, 1_000_000)
      .default(10_000)
      .describe('records that are kept; the oldest go'),
    maxExecutionBytes: whole(MIB, 1024 * 1024 * MIB)
      .default(1024 * MIB)
      .describe('bytes of all records together; the oldest go'),
    executionMaxAgeSeconds: whole(60, 3650 * DAY_SECONDS)
      .default(21 * DAY_SECONDS)
      .describe('records older than this go, every hour'),
    maxDepth: whole(1, 64).default(8).describe('how many workflows may run inside one another'),
    maxLoopItems: whole(1, 1_000_000).default(1000).describe('items of one `forEach`'),
    maxParallel: whole(1, 1000)
      .default(32)
      .describe('sub-steps of one `parallel` that run at the same time'),
    toolTimeoutSeconds: whole(1, DAY_SECONDS)
      .default(300)
      .describe('how long a step may wait for its tool'),
    cleanupSeconds: whole(1, 3600)
      .default(30)
      .describe('how long the `onFailure` handlers of a cancelled run may take together'),
    maxRenderedBytes: whole(1024, 256 * MIB)
      .default(16 * MIB)
      .describe('bytes of one rendered value, and of all arguments of one call'),
    maxRunBytes: whole(MIB, 16_384 * MIB)
      .default(256 * MIB)
      .describe('bytes of memory that the arguments and results of one run may take, about'),
  },
  MAPPING,
);

const eventsSchema = z.strictObject(
  {
    maxEvents: whole(10, 100_000)
      .default(5000)
      .describe(
        'events that are remembered, of servers, of workflows and of the configuration each',
      ),
    aggregationSeconds: whole(0, DAY_SECONDS)
      .default(600)
      .describe('equal events of this time are one with a count'),
  },
  MAPPING,
);

const serversSchema = z.strictObject(
  {
    stdioStartSeconds: whole(1, 600)
      .default(10)
      .describe('how long a stdio server may take from its start to its list of tools'),
    healthIntervalSeconds: whole(1, 3600)
      .default(30)
      .describe('time between two looks at a connected server'),
    healthTimeoutSeconds: whole(1, 600).default(10).describe('how long a look waits for an answer'),
    healthFailures: whole(1, 100)
      .default(3)
      .describe('failed looks in a row that make a server unhealthy'),
    healthSuccesses: whole(1, 100)
      .default(2)
      .describe('good looks in a row that make it healthy again'),
    backoffInitialMs: whole(10, 3_600_000)
      .default(1000)
      .describe('wait before the second attempt to connect; each further one waits twice as long'),
    backoffMaxSeconds: whole(1, DAY_SECONDS)
      .default(60)
      .describe('longest wait between two attempts to connect'),
    maxConcurrentStarts: whole(1, 1000).default(24).describe('servers that start at once'),
    maxMessageBytes: whole(64 * 1024, 1024 * MIB)
      .default(64 * MIB)
      .describe('bytes of one message of a server'),
    maxListItems: whole(1, 1_000_000).default(50_000).describe('entries of one list of a server'),
  },
  MAPPING,
);

const detectSchema = z.strictObject(
  {
    allowPrivate: flag
      .default(false)
      .describe('let `core_mcpserver_detect` ask private and loopback addresses'),
  },
  MAPPING,
);

/** `config.yaml`: every key with its bounds, its default and its meaning. `toolsetPresets` is read by the preset resolver. */
export const configSchema = z.strictObject(
  {
    apiGroup: domain
      .default(DEFAULT_API_GROUP)
      .describe('API group of the resources; environment: `GATEWAY_API_GROUP`'),
    labelDomain: domain
      .default(DEFAULT_LABEL_DOMAIN)
      .describe("domain of the platform's labels; environment: `GATEWAY_LABEL_DOMAIN`"),
    stateDirectory: text
      .default('state')
      .describe(
        'folder for events and for what servers declared, from the configuration directory',
      ),
    pinToolHints: flag
      .default(false)
      .describe("hold a tool's `readOnlyHint` back when it turns to true, until it is accepted"),
    events: eventsSchema.prefault({}).describe('what is remembered of what happened'),
    servers: serversSchema.prefault({}).describe('how servers are started and watched'),
    detect: detectSchema.prefault({}).describe('what `core_mcpserver_detect` may ask'),
    http: httpSchema.prefault({}).describe('the endpoint'),
    workflows: workflowsSchema.prefault({}).describe('runs of workflows'),
    toolsetPresets: z.unknown().optional().describe('presets by name'),
  },
  MAPPING,
);
