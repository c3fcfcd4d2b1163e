import { describe, expect, it } from 'vitest';
import {
  readRequirementSet,
  type Revision,
  selectScenarios,
  type Side,
} from '../src/conformance/scenario.ts';

/** Returns the number of scenarios of a side, and the number that the revision requires. */
const counts = (revision: Revision, side: Side) => {
  const mine = selectScenarios(revision).run.filter((scenario) => scenario.side === side);
  return { run: mine.length, required: mine.filter(({ scored }) => scored).length };
};

const signInScenarios = (revision: Revision): number =>
  selectScenarios(revision).run.filter(({ name }) => name.startsWith('auth/')).length;

describe('the scenarios that are run', () => {
  it('are all that 2025-11-25 asks of a server, and the three that are only reported', () => {
    expect(counts('2025-11-25', 'server')).toEqual({ run: 33, required: 30 });
  });

  it('are all that 2026-07-28 asks of a server, and the three that are only reported and no extension', () => {
    expect(counts('2026-07-28', 'server')).toEqual({ run: 40, required: 37 });
  });

  it('are all that 2025-11-25 asks of a client, authorization included', () => {
    expect(counts('2025-11-25', 'client')).toEqual({ run: 19, required: 18 });
    expect(signInScenarios('2025-11-25')).toBe(14);
  });

  it('are all that 2026-07-28 asks of a client, authorization included', () => {
    expect(counts('2026-07-28', 'client')).toEqual({ run: 33, required: 32 });
    expect(signInScenarios('2026-07-28')).toBe(25);
  });
});

describe('the scenarios of authorization servers', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)('are all run for %s', (revision) => {
    const { run } = selectScenarios(revision);
    expect(run.filter(({ side }) => side === 'authorization').map(({ name }) => name)).toEqual([
      'authorization-server-metadata-endpoint',
      'authorization-code-grant',
    ]);
  });
});

describe('the scenarios that cannot apply', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)(
    'are known to the suite, and with those that are run all of %s',
    (revision) => {
      const { run, listed, unknown } = selectScenarios(revision);
      expect(unknown).toEqual([]);
      expect(run.length + listed.length).toBe(readRequirementSet(revision).length);
    },
  );

  it.each(['2025-11-25', '2026-07-28'] as const)('are not required by %s', (revision) => {
    expect(selectScenarios(revision).listed.filter(({ scored }) => scored)).toEqual([]);
  });
});
