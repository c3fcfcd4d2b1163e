import { expect, it } from 'vitest';
import { formatDownstreamError } from '../src/index.ts';
import {
  DEFAULT_BACKOFF,
  DEFAULT_BOUNDS,
  DEFAULT_RELIST,
  DEFAULT_TIMEOUTS,
} from '../src/wire/limits.ts';

it('describes each error in one sentence', () => {
  const server = 'k8s';
  expect(
    (
      [
        { code: 'server.unknown', server },
        { code: 'server.not-connected', server, state: 'Failed' },
        { code: 'server.auth-required', server },
        { code: 'server.connection-lost', server, reason: 'process exited with code 1' },
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
