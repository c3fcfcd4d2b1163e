import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StartGate } from '../src/connections/start-gate.ts';

const { signal } = new AbortController();
const asking = (holder: string, isRetry = false) => [holder, isRetry, signal] as const;
const still = (): number => 0;

/** Resolves when all promises that can settle have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('admits as many as it has slots, then the others in order of arrival', async () => {
  const gate = new StartGate(1, still);
  const leave = await gate.enter(...asking('a'));
  const order: string[] = [];
  const second = gate.enter(...asking('b')).then((leaveSecond) => {
    order.push('second');
    leaveSecond?.();
  });
  const third = gate.enter(...asking('c')).then(() => order.push('third'));
  await settled();
  expect(order).toEqual([]);
  leave?.();
  leave?.();
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
});

it('removes a cancelled waiter without losing a slot', async () => {
  const gate = new StartGate(1, still);
  const controller = new AbortController();
  const giving = ['b', false, controller.signal] as const;
  const leave = await gate.enter(...asking('a'));
  const waiting = gate.enter(...giving);
  controller.abort();
  expect(await waiting).toBeUndefined();
  expect(await gate.enter(...giving)).toBeUndefined();
  leave?.();
  expect(await gate.enter(...asking('c'))).toBeTypeOf('function');
});

it('reserves a quarter of the slots for servers that did not fail', async () => {
  const gate = new StartGate(4, still);
  let retries = 0;
  for (const server of ['a', 'b', 'c', 'd'])
    void gate.enter(...asking(server, true)).then(() => (retries += 1));
  await settled();
  expect(retries).toBe(3);
  expect(await gate.enter(...asking('good'))).toBeTypeOf('function');
});

/** Servers that start over and over, in a time of their own, and who was let in while the newcomer waited. */
const whileWaiting = async (
  slots: number,
  flapping: readonly (readonly number[])[],
  newcomerAfter: number,
): Promise<readonly string[]> => {
  let time = 0;
  const gate = new StartGate(slots, () => time);
  const active = new Set<{ readonly to: number; readonly leave: () => void }>();
  const admitted: string[] = [];
  const ask = (server: string, [length, ...later]: readonly number[]): void => {
    if (length === undefined) return;
    void gate.enter(...asking(server)).then((release) => {
      admitted.push(server);
      const one = {
        to: time + length,
        leave: () => {
          active.delete(one);
          release?.();
          ask(server, later);
        },
      };
      active.add(one);
    });
  };
  const endNext = async (): Promise<void> => {
    const [next] = [...active].sort((a, b) => a.to - b.to);
    time = next?.to ?? time;
    next?.leave();
    await settled();
  };
  flapping.forEach((lengths, index) => ask(`flapping-${index}`, lengths));
  await settled();
  for (let ended = 0; active.size > 0 && ended < newcomerAfter; ended += 1) await endNext();
  const before = admitted.length;
  ask('newcomer', [1]);
  await settled();
  while (active.size > 0) await endNext();
  return admitted.slice(before, admitted.indexOf('newcomer'));
};

describe('servers that start over and over', () => {
  it('are admitted at most once each while a server waits that has not started recently', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(lengths, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 12 }),
        async (slots, flapping, newcomerAfter) => {
          const overtaking = await whileWaiting(slots, flapping, newcomerAfter);
          expect(new Set(overtaking).size).toBe(overtaking.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are admitted in the order of their used slot time', async () => {
    let time = 0;
    const gate = new StartGate(1, () => time);
    const order: string[] = [];
    const start = async (server: string, ms: number): Promise<void> => {
      const leave = await gate.enter(...asking(server));
      order.push(server);
      time += ms;
      leave?.();
    };
    await Promise.all([start('slow', 100), start('quick', 10)]);
    await Promise.all([start('first', 5), start('slow', 1), start('quick', 1)]);
    expect(order).toEqual(['slow', 'quick', 'first', 'quick', 'slow']);
  });
});

describe('a holder of several slots', () => {
  it('gets a freed slot after the holders with fewer, however long its slots last', async () => {
    let time = 0;
    const gate = new StartGate(3, () => time);
    const order: string[] = [];
    const enter = async (holder: string) => {
      const leave = await gate.enter(...asking(holder));
      order.push(holder);
      return leave;
    };
    await enter('hanging');
    await enter('hanging');
    const quick = await enter('quick');
    time += 200;
    void enter('hanging');
    const next = enter('quick');
    quick?.();
    await settled();
    expect(order).toEqual(['hanging', 'hanging', 'quick', 'quick']);
    time += 200;
    (await next)?.();
    await settled();
    expect(order).toHaveLength(5);
  });

  it('is charged for each of them', async () => {
    let time = 0;
    const gate = new StartGate(3, () => time);
    const many = await Promise.all([gate.enter(...asking('many')), gate.enter(...asking('many'))]);
    time += 60;
    for (const leave of many) leave?.();
    const one = await gate.enter(...asking('one'));
    time += 100;
    one?.();
    const last = await Promise.all(['x', 'x', 'x'].map((holder) => gate.enter(...asking(holder))));
    const order: string[] = [];
    for (const holder of ['many', 'one'])
      void gate.enter(...asking(holder)).then(() => order.push(holder));
    for (const leave of last) leave?.();
    await settled();
    expect(order).toEqual(['one', 'many']);
  });
});
