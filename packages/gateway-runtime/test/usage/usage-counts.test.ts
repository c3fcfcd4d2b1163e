import { ANONYMOUS, createPrincipal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { type CountedCall, UsageCounts, UsageSummary } from '../../src/usage/usage-counts.ts';

const ISSUER = 'https://login.example';
const ann = createPrincipal({ issuer: ISSUER, subject: 'ann', email: 'ann@example.com' });
const bob = createPrincipal({ issuer: ISSUER, subject: 'bob' });

const callOf = (call: Partial<CountedCall> = {}): CountedCall => ({
  tool: 'x_files_read',
  principal: ANONYMOUS,
  toolset: undefined,
  workflow: undefined,
  isError: false,
  resultBytes: 10,
  durationMs: 1,
  endedAt: 1_000,
  ...call,
});

const countsOf = (...calls: readonly Partial<CountedCall>[]): UsageCounts => {
  const counts = new UsageCounts();
  for (const call of calls) counts.count(callOf(call));
  return counts;
};

const reportOf = (
  counts: UsageCounts,
  query: Partial<ConstructorParameters<typeof UsageSummary>[0]> = {},
) => {
  const summary = new UsageSummary({ hours: 1, by: 'tool', ...query });
  summary.add(counts);
  return summary.report();
};

describe('a report about usage', () => {
  it('has the sums of the calls of each tool, most calls first, and of all', () => {
    const counts = countsOf(
      { tool: 'x_files_write', isError: true, resultBytes: 5, endedAt: 3_000 },
      { tool: 'x_files_read', endedAt: 1_000 },
      { tool: 'x_files_read', endedAt: 2_000 },
    );
    expect(reportOf(counts)).toEqual({
      total: { calls: 3, errors: 1, resultBytes: 25, lastAt: 3_000, p95Ms: 1 },
      rows: [
        { tool: 'x_files_read', calls: 2, errors: 0, resultBytes: 20, lastAt: 2_000, p95Ms: 1 },
        { tool: 'x_files_write', calls: 1, errors: 1, resultBytes: 5, lastAt: 3_000, p95Ms: 1 },
      ],
    });
  });

  it('without calls has neither a last call nor a duration', () => {
    const total = { calls: 0, errors: 0, resultBytes: 0 };
    expect(reportOf(new UsageCounts())).toEqual({ total, rows: [] });
  });

  it('has the duration that 95 % of the calls did not exceed, at most 19 % too high', () => {
    const slow = (count: number) =>
      Array.from({ length: 20 }, (_, index) => ({ durationMs: index < count ? 1000 : 10 }));
    expect(reportOf(countsOf(...slow(1))).total.p95Ms).toBe(11.3);
    expect(reportOf(countsOf(...slow(2))).total.p95Ms).toBe(1020);
  });

  it('by toolset has calls without one, and those of steps by workflow', () => {
    const counts = countsOf(
      { toolset: 'server:files, preset:read-only' },
      { toolset: 'server:files,preset:read-only' },
      { toolset: 'server:files,preset:read-only' },
      { workflow: 'deploy' },
      { workflow: 'deploy' },
      {},
    );
    expect(
      reportOf(counts, { by: 'toolset' }).rows.map(({ toolset, workflow, calls }) => [
        toolset ?? workflow,
        calls,
      ]),
    ).toEqual([
      ['server:files,preset:read-only', 3],
      ['deploy', 2],
      [undefined, 1],
    ]);
  });

  it('by user has the subject with its issuer and e-mail address, or anonymous', () => {
    const counts = countsOf({ principal: ann }, { principal: ann }, {});
    const sums = { errors: 0, lastAt: 1_000, p95Ms: 1 };
    expect(reportOf(counts, { by: 'user' }).rows).toEqual([
      {
        ...{ user: 'ann', issuer: ISSUER, email: 'ann@example.com' },
        ...{ calls: 2, resultBytes: 20, ...sums },
      },
      { user: 'anonymous', calls: 1, resultBytes: 10, ...sums },
    ]);
  });

  it.each([
    [{ tool: 'x_files_write' }, 1],
    [{ tool: 'x_files' }, 0],
    [{ toolset: ' server:files ,server:b' }, 2],
    [{ toolset: 'server:b,server:files' }, 0],
    [{ user: 'ann' }, 2],
    [{ user: 'ann@example.com' }, 2],
    [{ user: 'bob' }, 1],
    [{ user: 'ann', tool: 'x_files_write' }, 1],
    [{ principalKey: bob.key }, 1],
    [{ principalKey: bob.key, user: 'ann' }, 0],
  ])('with the filter %j has %i calls', (filter, calls) => {
    const counts = countsOf(
      { principal: ann, tool: 'x_files_write' },
      { principal: ann, toolset: 'server:files,server:b' },
      { principal: bob, toolset: 'server:files, server:b' },
    );
    expect(reportOf(counts, filter).total.calls).toBe(calls);
  });

  it('keeps names such as __proto__ apart from those of objects', () => {
    const counts = countsOf({ tool: '__proto__', toolset: 'constructor' });
    expect(reportOf(new UsageCounts(counts.format())).rows).toMatchObject([{ tool: '__proto__' }]);
  });
});

describe('the text of counts', () => {
  it('has the same report', () => {
    const counts = countsOf(
      { principal: ann, toolset: 'server:files', durationMs: 700 },
      { principal: ann, toolset: 'server:files', isError: true },
      { workflow: 'deploy', tool: '💥\n' },
    );
    const again = new UsageCounts(counts.format());
    for (const by of ['tool', 'toolset', 'user'] as const)
      expect(reportOf(again, { by })).toEqual(reportOf(counts, { by }));
  });

  it.each(['', '{}', '[1,[]]', '[["a","b","c",1]]', '[["a","b","c",1,1,1,null,1]]', '[{'])(
    'that is damaged, such as %j, has no calls',
    (text) => {
      expect(new UsageCounts(text).isEmpty).toBe(true);
    },
  );

  it('is bounded: further users are added up, then toolsets, then tools', () => {
    const counts = new UsageCounts();
    const total = 30_000;
    for (let call = 0; call < total; call += 1)
      counts.count(
        callOf({
          principal: createPrincipal({ issuer: ISSUER, subject: `user-${String(call)}` }),
          toolset: `server:s${String(call)}`,
          tool: `x_files_tool_${String(call)}`,
          durationMs: call,
        }),
      );
    expect(counts.format().length).toBeLessThan(700_000);
    expect(reportOf(counts).total.calls).toBe(total);
    for (const by of ['tool', 'toolset', 'user'] as const) {
      const others = reportOf(counts, { by }).rows.at(0);
      expect(others).toMatchObject({ [by]: '_other' });
    }
    expect(reportOf(counts, { by: 'user', user: 'user-5' }).total.calls).toBe(1);
    // The rows of all users tell nobody about others.
    expect(reportOf(counts, { principalKey: bob.key }).total.calls).toBe(0);
  });
});
