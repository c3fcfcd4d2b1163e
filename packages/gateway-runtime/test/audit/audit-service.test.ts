import { keepText, keptText } from '@gateway/mcp-wire';
import { ANONYMOUS } from '@gateway/call-contract';
import type { McpService } from '@gateway/mcp-http';
import { describe, expect, it } from 'vitest';
import { auditService } from '../../src/audit/audit-service.ts';
import { AuditTrail } from '../../src/audit/audit-trail.ts';

type Answer = Awaited<ReturnType<McpService['call']>>;

/** Returns the answer of an audited service to a call that a service answers with `answer`. */
const audited = async (answer: Answer): Promise<Answer> => {
  const service = { call: () => Promise.resolve(answer) } as Partial<McpService> as McpService;
  const trail = new AuditTrail(() => undefined);
  const call = { method: 'tools/call', params: { name: 'list_tools' } } as const;
  const context = { principal: ANONYMOUS, header: () => undefined };
  return auditService(service, 'meta', trail).call(
    call,
    context as Partial<Parameters<McpService['call']>[1]> as Parameters<McpService['call']>[1],
  );
};

describe('an answer of an audited service', () => {
  it('keeps the text of its result, so that the result is written once', async () => {
    const result = { content: [], isError: false };
    await audited({ ok: true, result });
    expect(keptText(result)).toBe('{"content":[],"isError":false}');
  });

  it.each<{ readonly answer: Answer }>([
    { answer: { ok: true, result: keepText({ content: [] }, '{"content": []}') } },
    { answer: { ok: true, result: { resultType: 'input_required', inputRequests: {} } } },
    { answer: { ok: false, error: { code: -32602, message: 'Unknown tool' } } },
  ])('is unchanged when it has a text, a type or an error: %j', async ({ answer }) => {
    expect(await audited(answer)).toBe(answer);
  });
});
