import { setUp } from '../harness/lifetime.ts';
import { describe, expect, it } from 'vitest';
import { runForResult } from '../harness/program-result.ts';

/** The part of the result of `bench/faults.mjs` that these tests read. */
interface Found {
  readonly disk: 'tmpfs' | 'limit';
  readonly moreTimers: number;
  readonly rows: readonly Row[];
}

interface Row {
  readonly what: string;
  readonly problem?: string;
  /** Of the callers of well-behaved servers. */
  readonly calls: number;
  readonly failures: number;
  readonly failure?: string;
  /** Milliseconds. */
  readonly p99: number;
  readonly leaked: object;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Number of events of the server by reason. */
  readonly events: Readonly<Record<string, number>>;
}

/** Within this time callers of well-behaved servers are answered, on machines that have other work too, in milliseconds. */
const BOUNDED_MS = 2_000;

/** Timers that come and go while nothing is wrong. */
const FEW_TIMERS = 20;

let found: Found;

setUp(async () => {
  const { code, stderr, result } = await runForResult<Found>(['bench/faults.mjs', '--quick']);
  expect(code, stderr).toBe(0);
  found = result;
});

const rowOf = (what: string): Row => {
  const row = found.rows.find((one) => one.what === what);
  if (row === undefined) throw new Error(`no row ${what}`);
  expect(row.problem).toBeUndefined();
  return row;
};
const STARTED = { MCPServerStarting: 1, MCPServerStarted: 1, MCPServerToolsDiscovered: 1 };
const STOPPED = { MCPServerStopped: 1 };
/** A server that was well fails, and comes back by itself. */
const LOST = {
  ...STARTED,
  MCPServerFailed: 1,
  MCPServerToolsUnavailable: 1,
  MCPServerRecoveryStarted: 1,
  MCPServerRecoverySucceeded: 1,
  MCPServerToolsDiscovered: 2,
  ...STOPPED,
};

describe('the reported state of a server that', () => {
  it('is killed fifty times in a row', () => {
    const { facts, events } = rowOf('killed 50 times');
    expect(facts).toMatchObject({ after: { state: 'Running' } });
    expect(events).toMatchObject({
      MCPServerFailed: 50,
      MCPServerToolsUnavailable: 50,
      MCPServerToolsDiscovered: 51,
      ...STOPPED,
    });
    const { MCPServerStarted: asked = 0, MCPServerRecoverySucceeded: alone = 0 } = events;
    expect(asked + alone).toBe(51);
    expect(alone).toBeGreaterThanOrEqual(3);
  });

  it('announces 100 list changes per second: its list is read about once per second, and the last change is listed', () => {
    const { facts } = rowOf('lists anew 100 times a second');
    expect(facts).toMatchObject({ after: { state: 'Running', restartCount: 0 } });
    expect(facts['announced']).toBeGreaterThan(50);
    expect(facts['lists']).toBeLessThan(10);
  });
});

describe('a clock that changes by an hour during retries of a server', () => {
  it.each([
    ['clock an hour ahead', 1],
    ['clock an hour behind', -1],
  ])('delays nothing and ends no session, and events have its time: %s', (what, hours) => {
    const { facts, events } = rowOf(what);
    expect(facts).toMatchObject({ after: { state: 'Connected' }, hours });
    expect(facts['session']).toMatch(/^(?:Failed|Connecting)$/u);
    expect(events).toMatchObject(LOST);
  });
});

describe('a disk that', () => {
  const FULL = {
    tmpfs: 'no space is left on the device',
    limit: 'the file would be larger than this process may write',
  } as const;
  const LOCKED = { tmpfs: 'the file system is read-only', limit: 'permission denied' } as const;

  it.each([
    ['disk full', 'filled', FULL],
    ['disk read-only', 'locked', LOCKED],
  ] as const)('takes nothing: %s', (what, name, why) => {
    const { facts, events } = rowOf(what);
    const reason = why[found.disk];
    expect(facts).toEqual({
      started: `Successfully started service '${name}'`,
      create: `Failed to create MCP server: cannot write mcpservers/new-${name}.yaml: ${reason}`,
      update: `Failed to update MCP server: cannot write mcpservers/${name}.yaml: ${reason}`,
      meanwhile: Object.keys(STARTED),
      isUntouched: true,
      later: `MCP server '${name}' updated successfully`,
    });
    expect(events).toEqual({ ...STARTED, ...STOPPED, MCPServerUpdated: 1 });
  });
});

describe('during every fault', () => {
  it('callers of other servers get correct answers in time', () => {
    for (const { what, calls, failures, failure, p99 } of found.rows) {
      expect({ what, failures, failure }).toEqual({ what, failures: 0, failure: undefined });
      expect(calls, what).toBeGreaterThan(0);
      expect(p99, what).toBeLessThan(BOUNDED_MS);
    }
  });

  it('no process, socket, pipe, file or timer leaks', () => {
    expect(found.rows.map(({ what, leaked }) => ({ what, leaked }))).toEqual(
      found.rows.map(({ what }) => ({ what, leaked: {} })),
    );
    expect(found.moreTimers).toBeLessThan(FEW_TIMERS);
  });
});
