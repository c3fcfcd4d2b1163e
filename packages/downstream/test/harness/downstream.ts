import type { ServerView } from '@gateway/call-contract';
import { formatJsonProblem, RawObject } from '@gateway/mcp-wire';
import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { createDownstream } from '../../src/index.ts';
import type { Downstream, DownstreamOptions, DownstreamOutcome } from '../../src/index.ts';
import type { DownstreamLogEvent } from '../../src/wire/log-event.ts';

/** A downstream with short waits, closed when the test ends, and what it logged. */
export const testDownstream = (
  options: Partial<DownstreamOptions> = {},
): { readonly downstream: Downstream; readonly log: DownstreamLogEvent[] } => {
  const log: DownstreamLogEvent[] = [];
  const downstream = createDownstream({
    clientInfo: { name: 'gateway-test', version: '1.0.0' },
    log: (event) => log.push(event),
    ...options,
    timeouts: { closeGraceMs: 500, ...options.timeouts },
    backoff: { firstMs: 100, maxMs: 400, ...options.backoff },
    relist: { debounceMs: 20, minIntervalMs: 100, ...options.relist },
  });
  onTestFinished(() => downstream.close());
  return { downstream, log };
};

/** Polls until `check` holds. Fails after `withinMs`. */
export const eventually = async (
  what: string,
  check: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

// A result that a server sent equals the object that its text describes.
expect.addEqualityTesters([
  function equalResults(first, second, testers) {
    if (first instanceof RawObject === second instanceof RawObject) return undefined;
    const value = (one: unknown): unknown =>
      one instanceof RawObject ? (JSON.parse(one.text) as unknown) : one;
    return this.equals(value(first), value(second), testers);
  },
]);

/** The server of a name, which must be there. */
export const viewOf = (downstream: Downstream, name: string): ServerView => {
  const view = downstream.servers().find((server) => server.name === name);
  if (view === undefined) throw new Error(`no server ${name}`);
  return view;
};

/** Waits until the server shows a state. */
export const untilState = (
  downstream: Downstream,
  name: string,
  state: ServerView['state'],
): Promise<void> =>
  eventually(`${name} is ${state}`, () => viewOf(downstream, name).state === state);

/** The result of an outcome that must be one. */
export const resultOf = (outcome: DownstreamOutcome): Readonly<Record<string, unknown>> => {
  if (!outcome.ok) throw new Error(`no result: ${JSON.stringify(outcome.error)}`);
  if (!(outcome.result instanceof RawObject)) return outcome.result;
  const parsed = outcome.result.parse();
  if (!parsed.ok) throw new Error(formatJsonProblem(parsed.problem));
  return parsed.value;
};

/** Returns whether a process runs; false for a zombie. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/\) Z /.test(stat);
  } catch (error) {
    // A machine without /proc has to be believed.
    return (
      error instanceof Error && 'code' in error && error.code === 'ENOENT' && !existsSync('/proc')
    );
  }
};
