import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../spec.requirements.ts';
import { DEFAULT_HTTP_SERVER_LIMITS } from '../src/transports/http-server.ts';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { startHttpEndpoint } from './endpoint.ts';
import { limitsSuite } from './limits.suite.ts';

const requirement = defineRequirements(requirements);

requirement('8/request-limits', () => {
  it('bounds every request where the specification names no figure', () => {
    expect(DEFAULT_MCP_HTTP_LIMITS).toEqual({
      maxBodyBytes: 4_194_304,
      maxBufferedBodyBytes: 67_108_864,
      maxConcurrentCalls: 256,
      maxConcurrentCallsPerCaller: 96,
      maxQueuedCallsPerCaller: 160,
      maxBatch: 64,
      maxNesting: 128,
      maxBodyValues: 100_000,
      maxHeaderLines: 200,
      maxSessions: 1_000,
      maxStreamsPerSession: 4,
      sessionIdleMs: 1_800_000,
      sessionMaxAgeMs: 86_400_000,
      sessionRestMs: 10_000,
      maxEndedSessions: 10_000,
      resumeWindowMs: 30_000,
      maxResumableStreams: 32,
      maxLoggedEvents: 256,
      maxLoggedBytes: 1_048_576,
      maxLoggedBytesTotal: 67_108_864,
      maxQuestionsPerSession: 16,
      questionTimeoutMs: 300_000,
      maxSuspendedCalls: 256,
      suspendedTimeoutMs: 300_000,
      maxInputRounds: 32,
      maxStreams: 1_024,
      maxStreamsPerCaller: 512,
      maxListenStreams: 2_048,
      maxSubscriptions: 64,
      maxRelays: 256,
      peerTimeoutMs: 5_000,
      callTimeoutMs: 300_000,
      keepAliveMs: 15_000,
      maxUnreadBytes: 1_048_576,
      maxUnreadAnswerBytes: 134_217_728,
      slowReaderMs: 1_000,
      writeTimeoutMs: 60_000,
      listTtlMs: 0,
      resourceTtlMs: 0,
    });
    expect(DEFAULT_HTTP_SERVER_LIMITS).toEqual({
      maxConnections: 2_048,
      maxHeaderBytes: 16_384,
      headersTimeoutMs: 11_000,
      requestTimeoutMs: 56_000,
      keepAliveTimeoutMs: 65_000,
      checkIntervalMs: 4_000,
    });
  });
});

limitsSuite('the limits of the endpoint on node:http', startHttpEndpoint);
