import { storeSourceText, findSourceText } from '@gateway/mcp-wire';
import { ANONYMOUS, type CallRecord } from '@gateway/call-contract';
import type { DownstreamError } from '@gateway/downstream';
import type { McpService } from '@gateway/mcp-http';
import { describe, expect, it } from 'vitest';
import { auditCalls, auditServerRequests } from '../../src/calls/audit-stage.ts';
import { AuditTrail } from '../../src/audit/audit-trail.ts';

type Answer = Awaited<ReturnType<McpService['call']>>;

/** Returns what a caller receives when an audited call is answered with `answer`. */
const audited = async (answer: Answer): Promise<Answer> => {
  const trail = new AuditTrail({ count: () => undefined });
  const call = { method: 'tools/call', params: { name: 'list_tools' } } as const;
  const context = { principal: ANONYMOUS, header: () => undefined };
  return auditCalls({ trail, readExpose: () => 'meta' })(
    call,
    context as Partial<Parameters<McpService['call']>[1]> as Parameters<McpService['call']>[1],
    () => Promise.resolve(answer),
  );
};

describe('an answer of an audited call', () => {
  it('keeps the text of its result, so that the result is written once', async () => {
    const result = { content: [], isError: false };
    await audited({ ok: true, result });
    expect(findSourceText(result)).toBe('{"content":[],"isError":false}');
  });

  it.each<{ readonly answer: Answer }>([
    { answer: { ok: true, result: storeSourceText({ content: [] }, '{"content": []}') } },
    { answer: { ok: true, result: { resultType: 'input_required', inputRequests: {} } } },
    { answer: { ok: false, error: { code: -32602, message: 'Unknown tool' } } },
  ])('is unchanged when it has a text, a type or an error: %j', async ({ answer }) => {
    expect(await audited(answer)).toBe(answer);
  });
});

describe('the reason in the record of a call', () => {
  const server = 's';
  const WAIT = { waitMs: 1, windowMs: 1, calls: 1, isPerUser: true };

  it.each<[DownstreamError, string | undefined]>([
    [{ code: 'server.busy', server, running: 1, waiting: 1 }, 'servers.maxQueuedCalls'],
    [{ code: 'server.rate-limited', server, ...WAIT }, 'limits.rate'],
    [{ code: 'server.breaker-open', server }, 'limits.breaker'],
    [{ code: 'request.timeout', server, timeoutMs: 1 }, undefined],
  ])('of a server that ends it with %j is %s', async (error, reason) => {
    const record: CallRecord = { id: '1', isExecuted: false };
    const { signal } = new AbortController();
    const context = { principal: ANONYMOUS, sessionId: undefined, signal, record };
    await auditServerRequests({ server, tool: 't' }, context, () =>
      Promise.resolve({ ok: false, error }),
    );
    expect(record.refusal).toBe(reason);
  });
});
