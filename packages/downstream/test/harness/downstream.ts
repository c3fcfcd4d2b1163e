import type { ServerView } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { GatewayEvent } from '@gateway/events';
import { formatJsonProblem, RawObject } from '@gateway/mcp-wire';
import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { createDownstream } from '../../src/index.ts';
import type { Downstream, DownstreamOptions, DownstreamOutcome } from '../../src/index.ts';
import type { DownstreamLogEvent } from '../../src/wire/log-event.ts';

export interface TestDownstream {
  readonly downstream: Downstream;
  readonly log: DownstreamLogEvent[];
  readonly events: GatewayEvent[];
  /** The reasons of the events of a server, without their prefix. */
  readonly reasons: (name?: string) => readonly string[];
}

/** A downstream with short waits, and what it logged and emitted. */
export const openDownstream = (options: Partial<DownstreamOptions> = {}): TestDownstream => {
  const log: DownstreamLogEvent[] = [];
  const events: GatewayEvent[] = [];
  const downstream = createDownstream({
    clientInfo: { name: 'gateway-test', version: '1.0.0' },
    log: (event) => log.push(event),
    emit: (event) => events.push(event),
    ...options,
    timeouts: { closeGraceMs: 500, settleMs: 60_000, ...options.timeouts },
    backoff: { firstMs: 100, maxMs: 400, ...options.backoff },
    relist: { debounceMs: 20, minIntervalMs: 100, ...options.relist },
  });
  const reasons = (name?: string): readonly string[] =>
    events
      .filter((event) => name === undefined || event.name === name)
      .map(({ reason }) => reason.replace('MCPServer', ''));
  return { downstream, log, events, reasons };
};

/** A downstream that is closed when the test ends. */
export const testDownstream = (options: Partial<DownstreamOptions> = {}): TestDownstream => {
  const opened = openDownstream(options);
  onTestFinished(() => opened.downstream.close());
  return opened;
};

/** A downstream with these servers, settled. */
export const running = async (
  servers: readonly McpServer[],
  options: Partial<DownstreamOptions> = {},
): Promise<TestDownstream> => {
  const opened = testDownstream(options);
  opened.downstream.apply(servers);
  await opened.downstream.settled();
  return opened;
};

/** The outcome of a failed request. */
export const failed = (code: string, facts: object = {}, server = 'raw') => ({
  ok: false,
  error: { code, server, ...facts },
});

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
