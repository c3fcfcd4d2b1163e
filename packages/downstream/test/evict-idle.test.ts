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

const limits = { maxPerServerAndUser: 1, maxPerUser: 3, maxPerServer: 2, maxConnections: 4 };
const sessions = { ...DEFAULT_SESSIONS, ...limits };
const { session } = createOwnerPolicies(DEFAULT_USERS, sessions, DEFAULT_BACKOFF);

const rowOf = (client: string, server: string, limitedAs?: string): ConnectionRow => {
  const kind = 'session' as const;
  const owner = { kind, key: client, principal: ANONYMOUS, limitedAs, version: 0, rows: new Map() };
  return new ConnectionTable().openRow(owner, server);
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
  const cal = rowOf('cal', 'a', 'cal');
  const evicting = (...evicted: readonly ConnectionRow[]) => ({ ok: true, evicted });

  it('takes the place of the least recently used idle connection of the server', () => {
    expect(evict(cal, [ann, ben])).toEqual(evicting(ann));
    expect(evict(cal, [ann, ben], { busy: [ann] })).toEqual(evicting(ben));
  });

  it('takes the place of a connection of the same user before those of others', () => {
    const other = rowOf('ben-2', 'a', 'ben');
    expect(evict(other, [ann, ben])).toEqual(evicting(ben));
  });

  it('is refused when no connection is idle, and evicts none', () => {
    expect(evict(cal, [ann, ben], { busy: [ann, ben] })).toEqual({
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
    expect(evict(cal, [ben], { draining: [ann] })).toEqual(evicting(ben));
    expect(evict(cal, [], { draining: [ann, ben] })).toMatchObject({ ok: false });
  });
});

it('a connection within the bounds evicts none, also when its owner has no user', () => {
  const placed = [rowOf('ann', 'a'), rowOf('ben', 'a')];
  expect(evict(rowOf('cal', 'b'), placed)).toEqual({ ok: true, evicted: [] });
});
