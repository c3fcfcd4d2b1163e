import { describe, expect, it } from 'vitest';
import { NEVER_ABORTED, oneWay } from '../src/index.ts';
import type { EchoContract } from './fixtures/echo-contract.ts';
import { bundledEchoProcess, codeOf, startEcho } from './harness/echo-process.ts';

bundledEchoProcess();

describe.each(['advanced', 'json'] as const)('a link with %s serialization', (serialization) => {
  const start = (): EchoContract => startEcho({ serialization }).remote;

  it('returns each result to its call, in whatever order results arrive', async () => {
    const remote = start();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const order: string[] = [];
    const ask = async (): Promise<number> => {
      await released;
      return 7;
    };
    const first = remote.converse(1, { onProgress: oneWay(() => undefined), ask, unit: 'ones' });
    const noted = first.then(() => order.push('first'));
    expect(await remote.echo('a')).toBe('a');
    expect(await remote.echo('b')).toBe('b');
    order.push('second');
    release();
    expect(await first).toBe(7);
    await noted;
    expect(order).toEqual(['second', 'first']);
  });

  it('preserves values with any keys, long texts and the absence of a value', async () => {
    const remote = start();
    const value: unknown = JSON.parse(
      '{"__proto__":{"a":1},"constructor":"c","then":[null,1.5,"\\u2028"],"":{}}',
    );
    expect(JSON.stringify(await remote.echo(value))).toBe(JSON.stringify(value));
    expect(await remote.echo(null)).toBeNull();
    expect(await remote.nothing()).toBeUndefined();
    expect(await remote.text(5_000_000)).toHaveLength(5_000_000);
    const text = `${'{"a":'.repeat(100)}😀`;
    expect(await remote.echo(text)).toBe(text);
  });

  it('reports failures with the message of the error', async () => {
    const remote = start();
    await expect(remote.fail('no such luck')).rejects.toMatchObject({
      name: 'LinkError',
      code: 'failed',
      message: 'no such luck',
    });
    expect(await codeOf(remote.cycle())).toBe('invalid-value');
    expect(await codeOf(remote.echo(1n))).toBe('invalid-value');
    expect(await remote.echo('still works')).toBe('still works');
  });

  it('does not find members that the implementation does not have', async () => {
    const remote = start() as unknown as Record<string, () => Promise<unknown>>;
    for (const name of ['missing', 'constructor', 'toString', '__proto__', 'echo.call', 'ticks.on'])
      expect(await codeOf(Promise.resolve(remote[name]?.()))).toBe('failed');
  });

  it('calls callbacks in order, before the result', async () => {
    const remote = start();
    const seen: string[] = [];
    const sum = await remote.converse(3, {
      unit: 'ones',
      onProgress: oneWay((progress) => void seen.push(`progress ${progress}`)),
      ask: (question) => {
        seen.push(`question ${question}`);
        return Promise.resolve(1);
      },
    });
    expect(sum).toBe(3);
    expect(seen).toEqual([1, 2, 3].flatMap((n) => [`progress ${n}`, `question ${n}`]));
  });

  it('withdraws a question: its signal aborts with the reason', async () => {
    const remote = start();
    const reasons: unknown[] = [];
    const code = await remote.withdraw({
      ask: (_question, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => reasons.push(signal.reason));
        }),
    });
    expect(code).toBe('cancelled');
    expect(reasons).toEqual(['not needed']);
  });

  it('cancels a call: the caller continues at once, and the implementation sees the reason', async () => {
    const remote = start();
    const controller = new AbortController();
    const hanging = codeOf(remote.hang({ signal: controller.signal }));
    controller.abort(new Error('changed my mind'));
    expect(await hanging).toBe('cancelled');
    expect(await remote.cancellations()).toEqual(['changed my mind']);
    expect(await codeOf(remote.hang({ signal: controller.signal }))).toBe('cancelled');
    expect(await remote.cancellations()).toHaveLength(1);
  });

  it('delivers notifications before the calls that follow', async () => {
    const remote = start();
    for (let count = 0; count < 500; count += 1) remote.note('n');
    expect(await remote.notes()).toBe(500);
  });

  it('calls a listener until its subscription ends', async () => {
    const { ticks } = start();
    const [one, two]: [string[], string[]] = [[], []];
    const stopOne = ticks.follow('a', (text) => one.push(text));
    const stopTwo = ticks.follow('b', (text) => two.push(text));
    expect(await ticks.emit()).toBe(2);
    stopOne();
    expect(await ticks.emit()).toBe(1);
    stopTwo();
    stopTwo();
    expect(await ticks.emit()).toBe(0);
    expect([one, two]).toEqual([['a1'], ['b1', 'b2']]);
  });

  it('opens a shared subscription once for all listeners', async () => {
    const { ticks } = start();
    const seen: number[] = [];
    const listener = (count: number): void => void seen.push(count);
    const stops = [ticks.share(listener), ticks.share(listener)];
    expect(await ticks.emit()).toBe(1);
    stops[0]?.();
    expect(await ticks.emit()).toBe(1);
    stops[1]?.();
    expect(await ticks.emit()).toBe(0);
    expect(seen).toEqual([1, 1, 2]);
  });
});

describe('a remote object', () => {
  it('is not a promise and has the members with an entry as own properties', async () => {
    const { remote } = startEcho();
    expect(await Promise.resolve(remote)).toBe(remote);
    expect(Object.keys({ ...remote })).toEqual(['note', 'droppable', 'ticks']);
    expect(await codeOf(remote.hang({ signal: AbortSignal.timeout(20) }))).toBe('cancelled');
    expect(NEVER_ABORTED.aborted).toBe(false);
  });
});
