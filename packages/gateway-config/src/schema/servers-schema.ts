import { findServerBounds } from '@gateway/crd-schemas';
import {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_HEALTH,
  DEFAULT_TIMEOUTS,
  DEFAULT_USERS,
} from '@gateway/downstream';
import { compileGlob } from '@gateway/catalog';
import { z } from 'zod';
import { DAY_SECONDS, flag, MAPPING, MIB, texts, createWholeNumber } from './field-types.ts';

/** Requests of callers and workflows to one server that run, and that wait, at one moment in one process. */
const DEFAULT_SERVER_CONCURRENCY = { maxRunning: 128, maxQueued: 256 } as const;

const NO_PATTERN = 'must be a pattern of at most 256 characters that compiles';
const NO_HOST = 'must be a pattern of host names, without scheme, port and path';

/** A pattern that no host name matches: an address, or a host with its port. */
const BEYOND_HOST = /[\s/@]|:\d*$/u;

const validateHostPattern = (pattern: string): string | undefined => {
  if (BEYOND_HOST.test(pattern)) return NO_HOST;
  return compileGlob(pattern).ok ? undefined : NO_PATTERN;
};

const startSeconds = findServerBounds('startTimeout');
const resultBytes = findServerBounds('maxResultBytes');

/** The key `servers`: start, health checks and limits of downstream servers. */
export const serversSchema = z.strictObject(
  {
    stdioStartSeconds: createWholeNumber(startSeconds.min, startSeconds.max)
      .default(DEFAULT_TIMEOUTS.stdioStartMs / 1000)
      .describe('time limit for the start of a stdio server, unless it has `spec.startTimeout`'),
    healthIntervalSeconds: createWholeNumber(1, 3600)
      .default(DEFAULT_TIMEOUTS.healthIntervalMs / 1000)
      .describe('interval between health checks of a connected server'),
    healthTimeoutSeconds: createWholeNumber(1, 600)
      .default(DEFAULT_HEALTH.timeoutMs / 1000)
      .describe('timeout of a health check'),
    healthFailures: createWholeNumber(1, 100)
      .default(DEFAULT_HEALTH.failures)
      .describe('consecutive failed health checks before a server is unhealthy'),
    healthSuccesses: createWholeNumber(1, 100)
      .default(DEFAULT_HEALTH.successes)
      .describe('consecutive successful health checks before a server is healthy'),
    backoffInitialMs: createWholeNumber(10, 3_600_000)
      .default(DEFAULT_BACKOFF.firstMs)
      .describe('initial delay between connection attempts; doubles after each failure'),
    backoffMaxSeconds: createWholeNumber(1, DAY_SECONDS)
      .default(DEFAULT_BACKOFF.maxMs / 1000)
      .describe('maximum delay between connection attempts'),
    maxConcurrentStarts: createWholeNumber(1, 1000)
      .default(DEFAULT_BOUNDS.maxConcurrentStarts)
      .describe('servers that start at the same time'),
    maxConcurrentCalls: createWholeNumber(1, 100_000)
      .default(DEFAULT_SERVER_CONCURRENCY.maxRunning)
      .describe('concurrent calls to one server; further ones wait'),
    maxQueuedCalls: createWholeNumber(0, 100_000)
      .default(DEFAULT_SERVER_CONCURRENCY.maxQueued)
      .describe('waiting calls to one server; further ones fail'),
    maxMessageBytes: createWholeNumber(64 * 1024, 1024 * MIB)
      .default(DEFAULT_BOUNDS.maxMessageBytes)
      .describe('maximum size of one message of a server'),
    maxListItems: createWholeNumber(1, 1_000_000)
      .default(DEFAULT_BOUNDS.maxListItems)
      .describe('maximum entries of one list of a server'),
    maxResultBytes: createWholeNumber(resultBytes.min, resultBytes.max)
      .default(262_144)
      .describe(
        'bytes of text of a result above which `call_tool` keeps it and returns its first part, unless the server has `spec.maxResultBytes`; 0: never',
      ),
    checkArguments: flag
      .default(true)
      .describe(
        'refuse arguments that the input schema of a tool does not accept before the server is asked, unless the server has `spec.checkArguments`',
      ),
    userIdleSeconds: createWholeNumber(1, DAY_SECONDS)
      .default(DEFAULT_USERS.idleMs / 1000)
      .describe('time without a request after which the connection of a user to a server closes'),
    maxUserConnections: createWholeNumber(1, 100_000)
      .default(DEFAULT_USERS.maxConnections)
      .describe('open connections of users; a further one closes the least recently used one'),
    plainHttpTokenHosts: texts
      .check(({ value, issues }) => {
        for (const [index, pattern] of value.entries()) {
          const message = validateHostPattern(pattern);
          if (message !== undefined)
            issues.push({ code: 'custom', input: value, path: [index], message });
        }
      })
      .default([])
      .describe(
        'patterns of host names, such as `tools.platform.svc.cluster.local`, to which tokens of users go over plain HTTP; loopback addresses need none',
      ),
    registries: texts
      .default([])
      .describe(
        'registries for `gateway servers search` and `install`: files, or URLs; the gateway itself reads none',
      ),
  },
  MAPPING,
);
