import { expect, it } from 'vitest';
import { defineRequirements, type Requirements } from '../src/index.ts';

const owned = { '2.1/known': 'A sentence.' } as const satisfies Requirements;
const prove = defineRequirements(owned);

// @ts-expect-error `2.1/unknown` is not owned
export const unknown = (): void => prove('2.1/unknown', () => undefined);
// @ts-expect-error a slug alone is no id
export const wrong: Requirements = { known: 'A sentence.' };

prove('2.1/known', () => {
  it('titles its tests with the section and the sentence', ({ task }) => {
    expect(task.suite?.name).toBe('§2.1/known A sentence.');
  });
});
