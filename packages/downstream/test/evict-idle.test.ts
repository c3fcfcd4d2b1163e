import { ANONYMOUS } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { type ConnectionRow, ConnectionTable } from '../src/connections/connection-table.ts';
import {
  createOwnerPolicies,
  DEFAULT_SESSIONS,
  DEFAULT_USERS,
  findEviction,
} from '../src/connections/policy.ts';
import { DEFAULT_BACKOFF } from '../src/wire/limits.ts';

const { session } = createOwnerPolicies(
  DEFAULT_USERS,
  {
    ...DEFAULT_SESSIONS,
    maxPerServerAndUser: 1,
    maxPerUser: 3,
    maxPerServer: 2,
    maxConnections: 4,
  },
  DEFAULT_BACKOFF,
);

const rowOf = (client: string, server: string, limitedAs?: string): ConnectionRow => {
  const table = new ConnectionTable();
  const owner = {
    kind: 'session' as const,
    key: client,
    principal: ANONYMOUS,
    limitedAs,
    version: 0,
    rows: new Map(),
  };
  return table.openRow(owner, server);
};

const evict = (
  wanted: ConnectionRow,
  placed: readonly ConnectionRow[],
  { busy = [], draining = [] }: { busy?: ConnectionRow[]; draining?: ConnectionRow[] } = {},
) =>
  findEviction(wanted, { placed, draining, isIdle: (row) => !busy.includes(row) }, session.bounds);

describe('a connection beyond a bound', () => {
  const ann = rowOf('ann', 'a', 'ann');
  const ben = rowOf('ben', 'a', 'ben');

  it('takes the place of the least recently used idle connection of the server', () => {
    expect(evict(rowOf('cal', 'a', 'cal'), [ann, ben])).toEqual({ ok: true, evicted: [ann] });
    expect(evict(rowOf('cal', 'a', 'cal'), [ann, ben], { busy: [ann] })).toEqual({
      ok: true,
      evicted: [ben],
    });
  });

  it('takes the place of a connection of the same user before those of others', () => {
    const other = rowOf('ben-2', 'a', 'ben');
    expect(evict(other, [ann, ben])).toEqual({ ok: true, evicted: [ben] });
  });

  it('is refused when no connection is idle, and evicts none', () => {
    expect(evict(rowOf('cal', 'a', 'cal'), [ann, ben], { busy: [ann, ben] })).toEqual({
      ok: false,
      reason:
        'as many clients as possible have an instance of the server, and each of them has a call in progress',
    });
    expect(evict(rowOf('ann-2', 'a', 'ann'), [ann], { busy: [ann] })).toEqual({
      ok: false,
      reason:
        'this user has as many instances as possible, and each of them has a call in progress',
    });
  });

  it('counts connections that are draining, which cannot be evicted', () => {
    expect(evict(rowOf('cal', 'a', 'cal'), [ben], { draining: [ann] })).toEqual({
      ok: true,
      evicted: [ben],
    });
    expect(evict(rowOf('cal', 'a', 'cal'), [], { draining: [ann, ben] })).toMatchObject({
      ok: false,
    });
  });
});

describe('a connection within the bounds', () => {
  it('evicts none, also when its owner has no user', () => {
    expect(evict(rowOf('cal', 'b'), [rowOf('ann', 'a'), rowOf('ben', 'a')])).toEqual({
      ok: true,
      evicted: [],
    });
  });
});
