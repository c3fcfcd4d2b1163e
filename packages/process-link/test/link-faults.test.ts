import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectLink, oneWay, serveLink } from '../src/index.ts';
import { MAX_UNSENT } from './fixtures/echo-contract.ts';
import { bundledEchoProcess, codeOf, startEcho } from './harness/echo-process.ts';
import { memoryPorts } from './harness/memory-ports.ts';

bundledEchoProcess();

describe('the end of the other process', () => {
  it('rejects everything that is pending, and every later call, with one code', async () => {
    const { remote, kill } = startEcho();
    await remote.echo(1);
    const withdrawn: unknown[] = [];
    const pending = [
      remote.later(1, 60_000),
      remote.converse(1, {
        unit: 'ones',
        onProgress: oneWay(() => undefined),
        ask: (_question, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => withdrawn.push(signal.reason));
          }),
      }),
    ].map(codeOf);
    await remote.echo(1);
    await kill();
    expect(await Promise.all(pending)).toEqual(['closed', 'closed']);
    expect(withdrawn).toHaveLength(1);
    expect(await codeOf(remote.echo(1))).toBe('closed');
    expect(() => {
      remote.note('late');
      remote.ticks.follow('a', () => undefined)();
    }).not.toThrow();
  });

  it('is detected when the process is killed while it writes a large result', async () => {
    const { remote, kill } = startEcho();
    await remote.echo(1);
    const results = Array.from({ length: 20 }, () => codeOf(remote.text(4_000_000)));
    await delay(5);
    await kill();
    for (const code of await Promise.all(results)) expect([undefined, 'closed']).toContain(code);
  });
});

describe('a process that does not read', () => {
  const text = 'x'.repeat(100_000);

  it('is sent droppable notifications up to the limit, and no more', async () => {
    const dropped: string[] = [];
    const { remote, child } = startEcho({ onDrop: (member) => void dropped.push(member) });
    await remote.echo(1);
    child.kill('SIGSTOP');
    for (let count = 0; count < 100; count += 1) remote.droppable(text);
    const sent = 100 - dropped.length;
    expect(dropped[0]).toBe('droppable');
    expect(sent * text.length).toBeLessThan(2 * MAX_UNSENT);
    child.kill('SIGCONT');
    expect(await remote.notes()).toBe(sent);
  });

  it('makes calls fail beyond the limit, and receives calls again when it reads', async () => {
    const { remote, child } = startEcho({ limits: { maxUnsent: 1_000_000 } });
    await remote.echo(1);
    child.kill('SIGSTOP');
    const codes = Array.from({ length: 40 }, () => codeOf(remote.echo(text)));
    child.kill('SIGCONT');
    const settled = await Promise.all(codes);
    expect(new Set(settled)).toEqual(new Set([undefined, 'full']));
    expect(settled.indexOf('full')).toBeGreaterThan(5);
    expect(await remote.echo(text)).toBe(text);
  });

  it('blocks its own calls only: results arrive when it reads again', async () => {
    const { remote } = startEcho();
    const blocked = remote.block(200);
    const [, ...texts] = await Promise.all([
      blocked,
      ...Array.from({ length: 50 }, () => remote.text(64_000)),
    ]);
    expect(texts.every((one) => one.length === 64_000)).toBe(true);
  });

  it('loses results beyond the limit, and the calls fail', async () => {
    const ports = memoryPorts(() => false);
    const text = (length: number): Promise<string> => Promise.resolve('x'.repeat(length));
    serveLink(ports.server, { text }, { limits: { maxUnsent: 1_200 } });
    const remote = connectLink<{ text: typeof text }>(ports.client, {});
    const [first, second, third] = [900, 900, 20].map((length) => remote.text(length));
    const code = codeOf(second!);
    await ports.settle();
    expect((await first)?.length).toBe(900);
    expect(await code).toBe('result-dropped');
    expect((await third)?.length).toBe(20);
  });

  it('makes calls fail while too many wait for a result', async () => {
    const ports = memoryPorts();
    serveLink(ports.server, { echo: (value: string) => Promise.resolve(value) });
    const limits = { maxPending: 1_000 };
    const remote = connectLink<{ echo(value: string): Promise<string> }>(
      ports.client,
      {},
      { limits },
    );
    const calls = [900, 900].map((length) => codeOf(remote.echo('x'.repeat(length))));
    await ports.settle();
    expect(await Promise.all(calls)).toEqual([undefined, 'full']);
    const large = remote.echo('x'.repeat(5_000));
    await ports.settle();
    expect(await large).toHaveLength(5_000);
  });
});
