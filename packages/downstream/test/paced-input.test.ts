import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PacedInput, InputBudget } from '../src/wire/input-budget.ts';

const spin = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/** An input that needs `costMs` per part, and what it was given. */
const inputOf = (budget: InputBudget, costMs: number, isNeeded = (): boolean => true) => {
  const events: string[] = [];
  const input = new PacedInput(
    budget,
    { pause: () => events.push('pause'), resume: () => events.push('resume') },
    {
      push: (slice) => {
        spin(costMs);
        events.push(String(slice.length));
        return isNeeded();
      },
      end: () => events.push('end'),
    },
  );
  return { input, events };
};

const nextTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('input within the budget', () => {
  it('is passed on at once, in parts of at most 8 KiB', () => {
    // The budget is time too, which a busy machine spends.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { input, events } = inputOf(new InputBudget(), 0);
    input.push(Buffer.alloc(10_000));
    input.push(Buffer.alloc(3));
    input.end();
    expect(events).toEqual(['8192', '1808', '3', 'end']);
  });

  it('is dropped after the part that ends the need for it', () => {
    const { input, events } = inputOf(new InputBudget(), 0, () => false);
    input.push(Buffer.alloc(20_000));
    input.push(Buffer.alloc(3));
    input.end();
    expect(events).toEqual(['8192']);
  });
});

describe('input over the budget', () => {
  it('of 16 KiB in one turn pauses its source', async () => {
    const { input, events } = inputOf(new InputBudget(), 0);
    input.push(Buffer.alloc(3 * 8_192));
    expect(events).toEqual(['8192', '8192', 'pause']);
    await nextTurns(2);
    expect(events).toEqual(['8192', '8192', 'pause', '8192', 'resume']);
  });

  it('pauses its source, and continues in later turns to the end', async () => {
    const { input, events } = inputOf(new InputBudget(), 5);
    input.push(Buffer.alloc(20_000));
    input.push(Buffer.alloc(3));
    input.end();
    expect(events).toEqual(['8192', 'pause']);
    await nextTurns(1);
    expect(events).toEqual(['8192', 'pause', '8192']);
    await nextTurns(3);
    expect(events).toEqual(['8192', 'pause', '8192', '3616', '3', 'resume', 'end']);
  });

  it('takes turns with other input of the same server', async () => {
    const budget = new InputBudget();
    const one = inputOf(budget, 5);
    const other = inputOf(budget, 5);
    one.input.push(Buffer.alloc(3 * 8_192));
    other.input.push(Buffer.alloc(2 * 8_192));
    expect(other.events).toEqual(['pause']);
    await nextTurns(2);
    expect([one.events, other.events]).toEqual([
      ['8192', 'pause', '8192'],
      ['pause', '8192'],
    ]);
    await nextTurns(3);
    expect(one.events).toEqual(['8192', 'pause', '8192', '8192', 'resume']);
    expect(other.events).toEqual(['pause', '8192', '8192', 'resume']);
  });
});
