import {
  DEFAULT_HTTP_SERVER_LIMITS,
  DEFAULT_RATE_LIMIT,
  findLimitDefault,
  isProxyRange,
  LIMIT_KEYS,
} from '@gateway/mcp-http';
import { z } from 'zod';
import { DAY_SECONDS, flag, MAPPING, text, texts, createWholeNumber } from './field-types.ts';
import { DEFAULT_TIMEOUTS } from '@gateway/downstream';
import { DEFAULT_ADDRESS, MAX_PORT } from '../defaults.ts';

/** Time for which a request may be on its way between a caller and a server, in seconds. */
const TRANSIT_SECONDS = 30;

/** Default time that a server has to answer, in seconds. */
const SERVER_SECONDS = DEFAULT_TIMEOUTS.requestMs / 1000;

/** Default of `http.requestTimeoutSeconds`: the time of a server and the transit. */
const DEFAULT_REQUEST_SECONDS = SERVER_SECONDS + TRANSIT_SECONDS;

/** Returns the time that a server has to answer, in seconds. A short timeout of requests does not reduce it. */
export const computeServerTimeout = (requestTimeoutSeconds: number): number =>
  Math.max(SERVER_SECONDS, requestTimeoutSeconds - TRANSIT_SECONDS);

type LimitName = keyof typeof LIMIT_KEYS;

/** The keys of the endpoint's limits. */
const limitKeys = Object.fromEntries(
  (Object.keys(LIMIT_KEYS) as readonly LimitName[]).map((key) => {
    const { min, max, about } = LIMIT_KEYS[key];
    return [key, createWholeNumber(min, max).default(findLimitDefault(key)).describe(about)];
  }),
) as Readonly<Record<LimitName, z.ZodDefault<z.ZodInt>>>;

/** With the stop of servers and stores, a process ends within 10 s. */
const DRAIN_SECONDS = 8;

const rateLimitSchema = z.strictObject(
  {
    enabled: flag
      .optional()
      .describe('limit the rate; when unset, except on a loopback listen address'),
    requestsPerSecond: createWholeNumber(1, 1_000_000)
      .default(DEFAULT_RATE_LIMIT.requestsPerSecond)
      .describe('sustained requests of one caller; further ones are refused with 429'),
    burst: createWholeNumber(1, 1_000_000)
      .default(DEFAULT_RATE_LIMIT.burst)
      .describe('requests that a caller can send at once'),
  },
  MAPPING,
);

const proxyRanges = z
  .array(
    text.refine(isProxyRange, {
      error: 'must be an IP address or a range such as 10.0.0.0/8',
    }),
    { error: 'must be a list' },
  )
  .max(256, { error: 'must have at most 256 items' });

const publicUrl = text.refine(
  (value) => /^https?:\/\/[^/?#@]+\/?$/.test(value) && URL.canParse(value),
  { error: 'must be a URL with https or http, without a path' },
);

/** The key `http`: the endpoint. */
export const httpSchema = z.strictObject(
  {
    host: text.default(DEFAULT_ADDRESS.host).describe('listen address; `--host` overrides it'),
    port: createWholeNumber(0, MAX_PORT)
      .default(DEFAULT_ADDRESS.port)
      .describe('listen port, 0 for any; `--port` overrides it'),
    publicUrl: publicUrl
      .optional()
      .describe(
        'URL at which clients reach the gateway; required when callers sign in, except on a loopback address with a port',
      ),
    allowedHosts: texts
      .default([])
      .describe('permitted `Host` values besides loopback names (protection from DNS rebinding)'),
    allowedOrigins: texts
      .default([])
      .describe('origins whose pages may use the gateway, as scheme://host[:port]; * for all'),
    legacySse: flag
      .default(false)
      .describe(
        'serve the transport of 2024-11-05 (HTTP with SSE) too, at `/sse` and `/messages`; `--legacy-sse` enables it; environment: `GATEWAY_LEGACY_SSE=true`',
      ),
    ...limitKeys,
    rateLimit: rateLimitSchema.prefault({}).describe('rate of the requests of one caller'),
    trustedProxies: proxyRanges
      .default([])
      .describe('addresses and CIDR ranges of proxies that name the caller in `forwardedHeader`'),
    forwardedHeader: z
      .enum(['x-forwarded-for', 'forwarded'], {
        error: 'must be x-forwarded-for or forwarded',
      })
      .default('x-forwarded-for')
      .describe('header in which trusted proxies name the caller; the other one is ignored'),
    requestTimeoutSeconds: createWholeNumber(1, DAY_SECONDS)
      .default(DEFAULT_REQUEST_SECONDS)
      .describe(
        `time limit of a request; a server gets ${TRANSIT_SECONDS.toString()} less, at least ${SERVER_SECONDS.toString()}`,
      ),
    maxConnections: createWholeNumber(16, 100_000)
      .default(DEFAULT_HTTP_SERVER_LIMITS.maxConnections)
      .describe('open connections; at the limit, a new one replaces one that waits for its client'),
    drainDelaySeconds: createWholeNumber(0, 600)
      .default(0)
      .describe(
        'after SIGTERM, time in which `/readyz` reports `draining` and requests are still served, so that a load balancer stops sending',
      ),
    drainSeconds: createWholeNumber(1, 3600)
      .default(DRAIN_SECONDS)
      .describe('time that running requests have to finish after that'),
  },
  MAPPING,
);
