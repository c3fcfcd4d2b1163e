import { expect, it } from 'vitest';
import { createStartGate } from '../src/supervision/start-gate.ts';

it('lets as many in as it has slots, the others in order of arrival', async () => {
  const gate = createStartGate(1);
  const { signal } = new AbortController();
  const leave = await gate.enter(signal);
  const order: string[] = [];
  const second = gate.enter(signal).then((leaveSecond) => {
    order.push('second');
    leaveSecond?.();
  });
  const third = gate.enter(signal).then(() => order.push('third'));
  await Promise.resolve();
  expect(order).toEqual([]);
  leave?.();
  leave?.();
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
});

it('lets one that gives up go without a slot, and loses none', async () => {
  const gate = createStartGate(1);
  const controller = new AbortController();
  const leave = await gate.enter(controller.signal);
  const waiting = gate.enter(controller.signal);
  controller.abort();
  expect(await waiting).toBeUndefined();
  expect(await gate.enter(controller.signal)).toBeUndefined();
  leave?.();
  expect(await gate.enter(new AbortController().signal)).toBeTypeOf('function');
});
