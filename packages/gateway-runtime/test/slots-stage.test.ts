import { ANONYMOUS, type CallContext } from '@gateway/call-contract';
import type { DownstreamOutcome } from '@gateway/downstream';
import { KeyedSlots } from '@gateway/mcp-http';
import { expect, it } from 'vitest';
import { takeServerSlot } from '../src/calls/slots-stage.ts';

interface Sent {
  readonly tool: string;
  readonly end: () => void;
}

const CONTEXT: CallContext = {
  principal: ANONYMOUS,
  sessionId: undefined,
  signal: new AbortController().signal,
};

const OK: DownstreamOutcome = { ok: true, result: {} };

/** Requests that end when a test ends them. */
const start = (limits: { maxRunning: number; maxQueued: number }) => {
  const sent: Sent[] = [];
  const refused: string[] = [];
  const send = ({
    tool = '',
  }: {
    readonly server: string;
    readonly tool?: string;
  }): Promise<DownstreamOutcome> =>
    new Promise((resolve) => {
      sent.push({
        tool,
        end: () => {
          resolve(OK);
        },
      });
    });
  const slots = new KeyedSlots(limits);
  const stage = takeServerSlot({ slots, onRefused: (server) => refused.push(server) });
  const call = (tool: string, context: Partial<CallContext> = {}, server = 's') =>
    stage({ server, tool }, { ...CONTEXT, ...context }, send);
  return { slots, sent, refused, call, tools: () => sent.map(({ tool }) => tool) };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('sends further requests when earlier ones have ended', async () => {
  const { sent, call, tools } = start({ maxRunning: 2, maxQueued: 2 });
  const answers = ['a', 'b', 'c', 'd'].map((tool) => call(tool));
  expect(tools()).toEqual(['a', 'b']);
  sent[1]?.end();
  await turn();
  expect(tools()).toEqual(['a', 'b', 'c']);
  for (const { end } of sent) end();
  await turn();
  sent[3]?.end();
  expect(await Promise.all(answers)).toEqual([OK, OK, OK, OK]);
});

it('limits each server on its own', () => {
  const { call, tools } = start({ maxRunning: 1, maxQueued: 1 });
  void call('a');
  void call('b');
  void call('c', {}, '__proto__');
  expect(tools()).toEqual(['a', 'c']);
});

it('refuses a request over the limits of a server, and counts it', async () => {
  const { refused, call } = start({ maxRunning: 2, maxQueued: 1 });
  for (const tool of ['a', 'b', 'c']) void call(tool);
  expect([await call('d'), refused]).toEqual([
    { ok: false, error: { code: 'server.busy', server: 's', running: 2, waiting: 1 } },
    ['s'],
  ]);
});

it('serves the callers in turn, however much one of them sends', async () => {
  const { sent, call, tools } = start({ maxRunning: 1, maxQueued: 10 });
  void call('first');
  for (const tool of ['a1', 'a2', 'a3']) void call(tool, { callerKey: 'a' });
  for (const tool of ['b1', 'b2']) void call(tool, { callerKey: 'b' });
  for (let ended = 0; ended < 5; ended += 1) {
    sent[ended]?.end();
    await turn();
  }
  expect(tools()).toEqual(['first', 'a1', 'b1', 'a2', 'b2', 'a3']);
});

it('removes a cancelled request from the queue', async () => {
  const { slots, sent, call, tools } = start({ maxRunning: 1, maxQueued: 1 });
  void call('a');
  const cancelled = new AbortController();
  const waiting = call('b', { signal: cancelled.signal });
  expect(slots.get('s').queued).toBe(1);
  cancelled.abort();
  const outcome = { ok: false, error: { code: 'request.cancelled', server: 's' } };
  expect([await waiting, slots.get('s').queued]).toEqual([outcome, 0]);
  void call('c');
  sent[0]?.end();
  await turn();
  expect(tools()).toEqual(['a', 'c']);
});

it('does not queue a request that is cancelled already', async () => {
  const { slots, call } = start({ maxRunning: 1, maxQueued: 1 });
  void call('a');
  expect(await call('b', { signal: AbortSignal.abort() })).toMatchObject({ ok: false });
  expect(slots.get('s').queued).toBe(0);
});

it('retains a bounded number of unused slots', async () => {
  const { slots, sent, call } = start({ maxRunning: 1, maxQueued: 1 });
  for (let server = 0; server < 1_000; server += 1) {
    const answer = call('a', {}, `s${server.toString()}`);
    sent.at(-1)?.end();
    await answer;
  }
  expect([...slots.entries()].length).toBeLessThanOrEqual(256);
});
