import { expect, it } from 'vitest';
import { formatDownstreamError } from '../src/index.ts';
import {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_RELIST,
  DEFAULT_TIMEOUTS,
} from '../src/wire/limits.ts';

const RATE = { calls: 10, windowMs: 60_000, waitMs: 4_200 };

it('describes each error in one sentence', () => {
  const server = 'k8s';
  expect(
    (
      [
        { code: 'server.unknown', server },
        { code: 'server.not-connected', server, state: 'Failed' },
        { code: 'server.auth-required', server },
        { code: 'server.connection-lost', server, reason: 'process exited with code 1' },
        { code: 'server.busy', server, running: 2, waiting: 1 },
        { code: 'server.busy', server, tool: 'apply', running: 1, waiting: 0 },
        { code: 'server.rate-limited', server, ...RATE, isPerUser: true },
        { code: 'server.rate-limited', server, tool: 'apply', ...RATE, isPerUser: false },
        { code: 'server.breaker-open', server, waitMs: 1_001 },
        { code: 'server.breaker-open', server, tool: 'apply' },
        { code: 'request.timeout', server, timeoutMs: 300_000 },
        { code: 'request.cancelled', server },
        { code: 'request.refused', server, rpcCode: -32602, message: 'bad argument' },
        { code: 'input.not-given', server, reason: 'elicitation/create: the user is away' },
        { code: 'response.invalid', server, reason: 'the result is not an object' },
      ] as const
    ).map(formatDownstreamError),
  ).toEqual([
    'server not found: k8s',
    'server not connected: k8s (status: Failed)',
    'user not authenticated to server k8s',
    'connection to server k8s was lost: process exited with code 1',
    'server k8s has 2 running and 1 waiting calls; retry later',
    'tool apply of server k8s has 1 running and 0 waiting calls; retry later',
    'server k8s has reached its rate limit for this user (10 in 60 s); retry in 5 s',
    'tool apply of server k8s has reached its rate limit for all users (10 in 60 s); retry in 5 s',
    'server k8s failed several times in a row and is not called: its breaker is open, the next attempt is possible in 2 s',
    'tool apply of server k8s failed several times in a row and is not called: its breaker is half-open, the next attempt runs now; retry when it has ended',
    'server k8s did not answer within 300 s',
    'request to server k8s was cancelled',
    'server k8s refused the request: bad argument (code -32602)',
    'server k8s requires input that the caller did not provide: elicitation/create: the user is away',
    'server k8s sent an invalid response: the result is not an object',
  ]);
});

it('uses these bounds by default', () => {
  expect({ ...DEFAULT_TIMEOUTS, ...DEFAULT_BOUNDS, ...DEFAULT_BACKOFF, ...DEFAULT_RELIST }).toEqual(
    {
      stdioStartMs: 60_000,
      startGraceMs: 10_000,
      eraProbeMs: 5_000,
      requestMs: 300_000,
      relistMs: 30_000,
      settleMs: 5_000,
      closeGraceMs: 1_000,
      healthIntervalMs: 30_000,
      maxMessageBytes: 67_108_864,
      maxConnectionsPerServer: 256,
      maxListPages: 1_000,
      maxListItems: 50_000,
      maxListChars: 67_108_864,
      maxEntryChars: 1_048_576,
      maxDescriptionChars: 16_384,
      maxConcurrentStarts: 24,
      firstMs: 1_000,
      maxMs: 60_000,
      jitter: 0.5,
      stableAfterMs: 60_000,
      checkMs: 1_500,
      debounceMs: 50,
      minIntervalMs: 1_000,
    },
  );
});
