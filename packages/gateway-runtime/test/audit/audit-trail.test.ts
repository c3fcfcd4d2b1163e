import { storeSourceText } from '@gateway/mcp-wire';
import {
  ANONYMOUS,
  createPrincipal,
  type CallContext,
  type CallRecord,
} from '@gateway/call-contract';
import type { McpService } from '@gateway/mcp-http';
import { describe, expect, it } from 'vitest';
import { AUDIT_MEMBERS } from '../../src/audit/audit-record.ts';
import { auditCalls, auditRefusal } from '../../src/calls/audit-stage.ts';
import { AuditTrail } from '../../src/audit/audit-trail.ts';
import type { CountedCall } from '../../src/usage/usage-counts.ts';

function trailOf(windowMs?: number) {
  const records: Record<string, unknown>[] = [];
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
    records.push(JSON.parse(line) as Record<string, unknown>);
  };
  const counted: CountedCall[] = [];
  const count = (call: CountedCall) => counted.push(call);
  const trail = new AuditTrail({ writeLine: write, count }, windowMs);
  return { trail, records, lines, counted };
}

const contextOf = (more: Partial<CallContext> = {}): CallContext => ({
  principal: ANONYMOUS,
  sessionId: '0123456789abcdef',
  signal: new AbortController().signal,
  ...more,
});

type FollowedFacts = Partial<CallContext> & {
  readonly answer?: Parameters<AuditTrail['followCheck']>[2] extends () => infer A ? A : never;
};

/** What a stage records when a server receives a call. */
const SENT_TO_FILES: Partial<CallRecord> = {
  isExecuted: true,
  server: 'files',
  serverName: 'read',
};

type Answer = Awaited<ReturnType<McpService['call']>>;

/** Calls a service that exposes the meta-tools or the tools of the servers; returns the record. */
async function toRecord(
  params: Readonly<Record<string, unknown>>,
  options: {
    readonly method?: Parameters<McpService['call']>[0]['method'];
    readonly expose?: 'meta' | 'native';
    readonly answer?: Answer;
    readonly toolset?: readonly string[];
  } = {},
): Promise<Record<string, unknown>> {
  const { method = 'tools/call', expose = 'meta', toolset } = options;
  const { answer = { ok: true, result: { content: [] } } } = options;
  const { trail, records } = trailOf();
  const header = (name: string) => (name === 'x-gateway-toolset' ? toolset : undefined);
  const context = { ...contextOf(), header } as unknown as Parameters<McpService['call']>[1];
  await auditCalls({ trail, readExpose: () => expose })({ method, params }, context, () => answer);
  expect(records).toHaveLength(1);
  const [record = {}] = records;
  expect(Object.keys(record).filter((key) => !Object.hasOwn(AUDIT_MEMBERS, key))).toEqual([]);
  return record;
}

describe('the record of a call', () => {
  it('has the caller, the names, the toolset, the decision, the duration and the size, and no argument', async () => {
    const args = { name: 'x_files_read', arguments: { path: 'canary' } };
    const json = '{"content":[{"type":"text","text":"canary é"}]}';
    const record = await toRecord(
      { name: 'call_tool', arguments: args },
      {
        answer: { ok: true, result: storeSourceText({}, json) },
        toolset: ['preset:a, server:b', 'server:c'],
      },
    );
    expect(record).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
      id: expect.stringMatching(/^[\w-]{8}-1$/u),
      method: 'tools/call',
      metaTool: 'call_tool',
      name: 'x_files_read',
      toolset: 'preset:a, server:b,server:c',
      subject: 'anonymous',
      session: '01234567',
      decision: 'allowed',
      outcome: 'ok',
      durationMs: expect.any(Number),
      resultBytes: 48,
    });
  });

  it('of the native surface has the name, the URI or the reference', async () => {
    const native = { expose: 'native' } as const;
    expect(await toRecord({ name: 'read', uri: 'x' }, native)).toMatchObject({ name: 'read' });
    const method = 'completion/complete';
    const ref = { type: 'ref/prompt', name: 'greet' };
    expect(await toRecord({ ref }, { ...native, method })).toMatchObject({ method, name: 'greet' });
  });

  it('has URIs without user information, query and fragment', async () => {
    const native = { expose: 'native', method: 'resources/read' } as const;
    const findName = async (uri: string) => (await toRecord({ uri }, native))['name'];
    expect(await findName('https://user:hush@host/a@b?token=hush#hush')).toBe('https://host/a@b');
    expect(await findName('file:///a b')).toBe('file:///a b');
    expect(await findName('demo:a?hush')).toBe('demo:a');
  });

  it('has at most 256 characters of a text of the caller, however long and of any kind', async () => {
    const long = `__proto__\u2028"\n\ud800${'x'.repeat(1_000_000)}`;
    const record = await toRecord(
      { name: 'call_tool', arguments: { name: long } },
      { toolset: [long] },
    );
    expect([String(record['name']).length, String(record['toolset']).length]).toEqual([256, 256]);
    const odd = JSON.parse('{"name":"call_tool","arguments":{"__proto__":{"name":"a"}}}') as object;
    expect(await toRecord({ ...odd })).not.toHaveProperty('name');
  });

  it.each([
    [{ ok: true, result: { isError: true } }, 'error_result'],
    [{ ok: true, result: { resultType: 'input_required' } }, 'input_required'],
    [{ ok: false, error: { code: 1, message: 'canary' } }, 'failed'],
  ] as const)('%j has the outcome %s', async (answer, outcome) => {
    expect(await toRecord({ name: 'a' }, { answer })).toMatchObject({ outcome });
  });
});

describe('a followed call', () => {
  it('is recorded when it has ended, also by an error or a cancellation', async () => {
    const { trail, records } = trailOf();
    const controller = new AbortController();
    const context = contextOf({ signal: controller.signal, requestState: 's' });
    const pending = trail.follow(context, { name: 'a' }, () => Promise.reject(new Error('gone')));
    expect(records).toEqual([]);
    controller.abort();
    await expect(pending).rejects.toThrow('gone');
    expect(records).toMatchObject([{ name: 'a', outcome: 'cancelled', resumed: true }]);
    const failing = () =>
      trail.follow(contextOf(), { name: 'b' }, () => {
        throw new Error('at once');
      });
    expect(failing).toThrow('at once');
    expect(records).toMatchObject([{ name: 'a' }, { name: 'b', outcome: 'failed' }]);
  });

  it('is refused for the reason that is reported while it starts, not that of a later one', async () => {
    const { trail, records } = trailOf();
    const context = contextOf();
    let finish = (): void => undefined;
    const first = trail.follow(context, { name: 'a' }, async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { ok: true as const };
    });
    void trail.follow(contextOf(), { name: 'b' }, () => {
      trail.refuseCurrent('toolset:outside');
      return { ok: true as const };
    });
    trail.refuseCurrent('toolset:empty');
    Object.assign(context.record ?? {}, SENT_TO_FILES);
    finish();
    await first;
    expect(records).toMatchObject([
      { name: 'b', decision: 'refused', reason: 'toolset:outside' },
      { name: 'a', decision: 'allowed', outcome: 'ok', server: 'files', serverName: 'read' },
    ]);
    expect(records[0]).not.toHaveProperty('outcome');
  });
});

describe('the usage', () => {
  const failed = { ok: true, result: { isError: true } } as const;

  /** Follows a call that is sent to a tool, and returns what is counted. */
  const countCall = (
    tool: string | undefined,
    { answer = { ok: true, result: { content: [] } }, ...more }: FollowedFacts = {},
  ) => {
    const { trail, counted } = trailOf();
    const context = contextOf(more);
    void trail.follow(context, { name: 'as written', toolset: 'server:files' }, () => {
      Object.assign(context.record ?? {}, { tool });
      return answer;
    });
    return counted;
  };

  it('has a call that is sent to a tool, with its exposed name, user, toolset and size', () => {
    expect(countCall('x_files_read')).toEqual([
      {
        tool: 'x_files_read',
        principal: ANONYMOUS,
        toolset: 'server:files',
        workflow: undefined,
        isError: false,
        resultBytes: 14,
        durationMs: expect.any(Number),
        endedAt: expect.any(Number),
      },
    ]);
    expect(countCall('x_files_read', { answer: failed })).toMatchObject([{ isError: true }]);
    expect(countCall('x_files_read', { answer: { ok: false } })).toMatchObject([
      { isError: true, resultBytes: 0 },
    ]);
  });

  it('has a step of a workflow, with the workflow', async () => {
    const { trail, counted } = trailOf();
    const context = contextOf();
    await trail.follow(context, { name: 'a', workflow: 'deploy' }, () => {
      Object.assign(context.record ?? {}, { tool: 'x_files_read' });
      return Promise.resolve({ ok: true as const, result: {} });
    });
    expect(counted).toMatchObject([{ workflow: 'deploy', toolset: undefined }]);
  });

  it('has neither a call that no tool receives nor one that asks its caller first', () => {
    expect(countCall(undefined, { answer: failed })).toEqual([]);
    const asking = { ok: true, result: { resultType: 'input_required' } } as const;
    expect(countCall('x_files_read', { answer: asking })).toEqual([]);
  });

  it('has the tools of servers that the portal calls, and not the core tools that it reads', () => {
    expect(countCall('x_files_read', { clientName: 'portal' })).toHaveLength(1);
    expect(countCall('core_service_list', { clientName: 'portal' })).toEqual([]);
    expect(countCall('core_service_list', { clientName: 'agent' })).toHaveLength(1);
  });

  it('is counted without an audit log too', () => {
    const counted: CountedCall[] = [];
    const trail = new AuditTrail({ count: (call) => counted.push(call) });
    const context = contextOf();
    void trail.follow(context, { name: 'a' }, () => {
      Object.assign(context.record ?? {}, { tool: 'x_files_read' });
      return { ok: true, result: { content: [] } };
    });
    trail.countRefusal('endpoint:calls-full');
    expect(counted).toMatchObject([{ tool: 'x_files_read', resultBytes: 14 }]);
  });
});

describe('a check of a call that is retried or resumed', () => {
  it('is recorded only when the toolset of the request refuses the call', () => {
    const { trail, records } = trailOf();
    const context = { principal: ANONYMOUS, sessionId: '0123456789', header: () => ['server:a'] };
    const check = (name: string) =>
      auditRefusal(
        { trail, readExpose: () => 'native' },
        { method: 'tools/call', params: { name } },
        context,
        () => {
          if (name === 'inside') return undefined;
          trail.refuseCurrent('toolset:outside');
          return { ok: true, result: { isError: true } };
        },
      );
    expect(check('inside')).toBeUndefined();
    expect(check('beyond')).toEqual({ ok: true, result: { isError: true } });
    expect(records).toMatchObject([
      {
        name: 'beyond',
        session: '01234567',
        toolset: 'server:a',
        decision: 'refused',
        reason: 'toolset:outside',
      },
    ]);
  });
});

describe('refusals of the endpoint', () => {
  it('of one kind and peer are one record per interval, with a count', async () => {
    const { trail, records } = trailOf(10);
    trail.countRefusal('endpoint:calls-full', '10.0.0.1');
    trail.countRefusal('endpoint:calls-full', '10.0.0.1');
    trail.countRefusal('endpoint:calls-full', '10.0.0.2');
    await expect.poll(() => records.length).toBe(2);
    expect(records).toMatchObject([
      { decision: 'refused', reason: 'endpoint:calls-full', peer: '10.0.0.1', count: 2 },
      { decision: 'refused', reason: 'endpoint:calls-full', peer: '10.0.0.2' },
    ]);
  });

  it('of many peers are bounded, and all counted', async () => {
    const { trail, records } = trailOf(10);
    for (let peer = 0; peer < 5000; peer += 1)
      trail.countRefusal('endpoint:rate-limited', `10.0.0.${String(peer)}`);
    await expect.poll(() => records.length).toBe(1001);
    const counts = records.map(({ count = 1 }) => Number(count));
    expect(counts.reduce((sum, count) => sum + count)).toBe(5000);
  });
});

describe('a flood of one caller', () => {
  const mallory = createPrincipal({ issuer: 'https://login.example', subject: 'mallory' });
  const alice = createPrincipal({ issuer: 'https://login.example', subject: 'alice' });
  const failed = { ok: true, result: { isError: true } } as const;

  it.each([
    ['refused calls', { decision: 'refused', reason: 'toolset:outside' }],
    ['calls of unknown names', { decision: 'allowed', outcome: 'error_result' }],
  ] as const)('of %s leaves 100 records and a count, and those of others', (kind, what) => {
    const { trail, records, lines } = trailOf();
    const name = 'x'.repeat(4_000_000);
    for (let call = 0; call < 5000; call += 1)
      void trail.follow(contextOf({ principal: mallory, callerKey: '10.0.0.1' }), { name }, () => {
        if (kind === 'refused calls') trail.refuseCurrent('toolset:outside');
        return failed;
      });
    void trail.follow(contextOf({ principal: alice }), { name: 'unknown' }, () => failed);
    trail.close();
    const own = records.filter(({ subject }) => subject === 'mallory');
    // The budget regains one record in each second.
    expect(own.length).toBeLessThan(150);
    const counted = own.at(-1);
    expect(counted).toMatchObject({ ...what, peer: '10.0.0.1', issuer: 'https://login.example' });
    expect(Number(counted?.['count']) + own.length - 1).toBe(5000);
    expect(records.filter(({ subject }) => subject === 'alice')).toMatchObject([
      { name: 'unknown' },
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_000);
  });

  it('counts no call that a server, a core tool or a workflow received', () => {
    const { trail, records } = trailOf();
    for (let call = 0; call < 500; call += 1) {
      const context = contextOf({ principal: mallory });
      void trail.follow(context, { name: 'x_files_read' }, () => {
        Object.assign(context.record ?? {}, SENT_TO_FILES);
        return failed;
      });
      void trail.follow(context, { name: 'workflow_a' }, () => {
        Object.assign(context.record ?? {}, { isExecuted: true });
        return failed;
      });
    }
    expect(records).toHaveLength(1000);
  });

  it('cannot hide behind refused sign-ins, whose records have no call', () => {
    const { trail, records } = trailOf();
    for (let attempt = 0; attempt < 300; attempt += 1)
      trail.write({
        ...{ subject: 'mallory', issuer: 'https://login.example', server: 'files' },
        ...{ action: 'server.sign-in', decision: 'refused', reason: 'sign-in:denied' },
      });
    trail.close();
    expect(records.length).toBeLessThan(150);
    expect(records.at(-1)).toMatchObject({ subject: 'mallory', reason: 'sign-in:denied' });
  });
});

describe('a line of the audit log', () => {
  it('has no line end of Unicode and no control of the text direction, and the same value', () => {
    const { trail, records, lines } = trailOf();
    const name = 'a\u2028b\u202ec\u200fd\u2066e\ufeff';
    void trail.follow(contextOf(), { name }, () => ({ ok: true, result: {} }));
    expect(lines[0]).toContain('"name":"a\\u2028b\\u202ec\\u200fd\\u2066e\\ufeff"');
    expect(records).toMatchObject([{ name }]);
  });

  it('has at most 256 characters of every text', () => {
    const { trail, records } = trailOf();
    const long = 'x'.repeat(10_000);
    const principal = { ...createPrincipal({ issuer: long, subject: long }), actor: long };
    const context = contextOf({ principal, callerKey: long, sessionId: long });
    const facts = { method: long, metaTool: long, name: long, toolset: long, workflow: long };
    void trail.follow(context, { ...facts, parent: long, run: long }, () => {
      Object.assign(context.record ?? {}, { server: long, serverName: long });
      trail.refuseCurrent(long);
      return { ok: true, result: {} };
    });
    trail.write({ client: long, server: long, decision: 'allowed' });
    const lengths = records
      .flatMap((record) => Object.values(record))
      .map((value) => String(value).length);
    expect(Math.max(...lengths)).toBe(256);
  });
});
