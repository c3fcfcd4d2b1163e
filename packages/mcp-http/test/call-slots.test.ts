import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallSlots } from '../src/calls/admission.ts';

/** Slots of a server and of one of its tools, with the names of the calls that were started. */
const start = (
  server: { maxRunning: number; maxQueued: number },
  tool: { maxRunning: number; maxQueued: number },
) => {
  const whole = new CallSlots(server);
  const part = new CallSlots(tool, whole);
  const started: string[] = [];
  const call = (slots: CallSlots, name: string, user = 'u') => {
    if (!slots.take())
      return slots.wait({ user }, () => {
        started.push(name);
      });
    started.push(name);
    return undefined;
  };
  return { whole, part, started, call };
};

const counts = ({ running, queued }: CallSlots) => ({ running, queued });

describe('slots that are a part of others', () => {
  it('let a call wait for both without holding either', () => {
    const { whole, part, started, call } = start(
      { maxRunning: 2, maxQueued: 9 },
      { maxRunning: 1, maxQueued: 9 },
    );
    call(part, 'tool 1');
    call(part, 'tool 2');
    call(whole, 'other 1');
    expect(started).toEqual(['tool 1', 'other 1']);
    call(whole, 'other 2');
    expect([counts(whole), counts(part)]).toEqual([
      { running: 2, queued: 2 },
      { running: 1, queued: 1 },
    ]);
    whole.release();
    part.release();
    expect(started).toEqual(['tool 1', 'other 1', 'other 2', 'tool 2']);
  });

  it('refuse a call when one of the queues is full', () => {
    const { whole, part, call } = start(
      { maxRunning: 1, maxQueued: 2 },
      { maxRunning: 1, maxQueued: 1 },
    );
    call(part, 'running');
    expect(call(part, 'waiting')).toBeTypeOf('function');
    expect([part.isQueueFull, whole.isQueueFull, call(part, 'refused')]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(call(whole, 'waiting too')).toBeTypeOf('function');
    expect([whole.isQueueFull, call(whole, 'refused')]).toEqual([true, undefined]);
  });

  it('serve users in turn, however many calls of one user wait for a tool', () => {
    const { whole, part, started, call } = start(
      { maxRunning: 1, maxQueued: 9 },
      { maxRunning: 1, maxQueued: 9 },
    );
    call(part, 'a1', 'a');
    for (const name of ['a2', 'a3']) call(part, name, 'a');
    call(part, 'b1', 'b');
    call(whole, 'c1', 'c');
    part.release();
    part.release();
    part.release();
    whole.release();
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('give up the place of a call that is withdrawn, once', () => {
    const { whole, part, call } = start(
      { maxRunning: 1, maxQueued: 1 },
      { maxRunning: 1, maxQueued: 1 },
    );
    call(part, 'running');
    const withdraw = call(part, 'waiting');
    withdraw?.();
    withdraw?.();
    expect([counts(whole), counts(part)]).toEqual([
      { running: 1, queued: 0 },
      { running: 1, queued: 0 },
    ]);
  });
});

describe('changed limits', () => {
  it('start the calls that have a slot now', () => {
    const { whole, started, call } = start(
      { maxRunning: 1, maxQueued: 9 },
      { maxRunning: 1, maxQueued: 9 },
    );
    for (const name of ['1', '2', '3', '4']) call(whole, name);
    whole.resize({ maxRunning: 3, maxQueued: 0 });
    expect([started, counts(whole)]).toEqual([['1', '2', '3'], { running: 3, queued: 1 }]);
  });

  it('let the calls over them end before others start', () => {
    const { whole, started, call } = start(
      { maxRunning: 3, maxQueued: 9 },
      { maxRunning: 1, maxQueued: 9 },
    );
    for (const name of ['1', '2', '3', '4']) call(whole, name);
    whole.resize({ maxRunning: 2, maxQueued: 9 });
    whole.release();
    expect(started).toEqual(['1', '2', '3']);
    whole.release();
    expect(started).toEqual(['1', '2', '3', '4']);
  });
});

it('starts many waiting calls that end at once', () => {
  const slots = new CallSlots({ maxRunning: 1, maxQueued: 10_000 });
  slots.take();
  let ended = 0;
  for (let at = 0; at < 10_000; at += 1)
    slots.wait({ user: 'u' }, () => {
      ended += 1;
      slots.release();
    });
  slots.release();
  expect([ended, slots.running, slots.queued]).toEqual([10_000, 0, 0]);
});

/** Slots of a server and of two of its tools, and the calls that run or wait, by the number of their slots. */
class Calls {
  readonly #whole = new CallSlots({ maxRunning: 2, maxQueued: 5 });
  readonly #slots = [
    this.#whole,
    new CallSlots({ maxRunning: 1, maxQueued: 5 }, this.#whole),
    new CallSlots({ maxRunning: 2, maxQueued: 5 }, this.#whole),
  ];
  readonly running: number[] = [];
  readonly waiting: { readonly at: number; withdraw: () => void }[] = [];

  slots(at: number): CallSlots {
    return this.#slots[at] ?? this.#whole;
  }

  call(at: number, user: string): void {
    if (this.slots(at).take()) {
      this.running.push(at);
      return;
    }
    const call = { at, withdraw: (): void => undefined };
    const withdraw = this.slots(at).wait({ user }, () => {
      this.waiting.splice(this.waiting.indexOf(call), 1);
      this.running.push(at);
    });
    if (withdraw !== undefined) this.waiting.push(Object.assign(call, { withdraw }));
  }

  end(): void {
    const at = this.running.shift();
    if (at !== undefined) this.slots(at).release();
  }

  withdraw(): void {
    this.waiting.shift()?.withdraw();
  }

  resize(at: number, maxRunning: number): void {
    this.slots(at).resize({ maxRunning, maxQueued: 5 });
  }

  validate(): void {
    const isOf = (at: number) => (call: number) => at === 0 || call === at;
    for (const at of [0, 1, 2]) {
      const { running, queued } = this.slots(at);
      expect(running).toBe(this.running.filter(isOf(at)).length);
      expect(queued).toBe(this.waiting.map((call) => call.at).filter(isOf(at)).length);
    }
    expect(this.waiting.filter(({ at }) => this.slots(at).hasFree)).toEqual([]);
  }
}

it('counts every call once, and leaves none waiting that could run', () => {
  const at = fc.integer({ min: 0, max: 2 });
  const action = fc.oneof(
    fc.tuple(at, fc.constantFrom('a', 'b')).map(
      (call) =>
        (calls: Calls): void =>
          calls.call(...call),
    ),
    fc.constant((calls: Calls): void => calls.end()),
    fc.constant((calls: Calls): void => calls.withdraw()),
    fc.tuple(at, fc.integer({ min: 1, max: 3 })).map(
      (size) =>
        (calls: Calls): void =>
          calls.resize(...size),
    ),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const calls = new Calls();
      for (const act of actions) {
        act(calls);
        calls.validate();
      }
      while (calls.running.length > 0) calls.end();
      expect(calls.waiting).toEqual([]);
    }),
  );
});
