import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineRequirements, type Requirements } from '../src/index.ts';

const owned = { '2.1/known': 'A sentence.' } as const satisfies Requirements;
const prove = defineRequirements(owned);

describe('requirement()', () => {
  it('takes the ids that the package owns', () => {
    expectTypeOf(prove).parameter(0).toEqualTypeOf<'2.1/known'>();
  });

  it('does not compile with another id', () => {
    // @ts-expect-error `2.1/unknown` is not owned
    const call = (): void => prove('2.1/unknown', () => undefined);
    expect(call).toBeTypeOf('function');
  });

  it('does not compile with ids outside of the form <section>/<slug>', () => {
    // @ts-expect-error a slug alone is no id
    const wrong: Requirements = { known: 'A sentence.' };
    expect(Object.keys(wrong)).toEqual(['known']);
  });
});

prove('2.1/known', () => {
  it('titles its tests with the section and the sentence', ({ task }) => {
    expect(task.suite?.name).toBe('§2.1/known A sentence.');
  });
});
