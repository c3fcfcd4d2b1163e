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

describe.each([
  ['2025-11-25', { run: 33, required: 30 }, { run: 19, required: 18 }, 14],
  ['2026-07-28', { run: 40, required: 37 }, { run: 33, required: 32 }, 25],
] as const)('the scenarios of %s', (revision, server, client, signIn) => {
  const { run, listed, unknown } = selectScenarios(revision);

  it('that are run are all of a server with the three that are only reported, of a client with authorization, and of authorization servers', () => {
    expect(counts(revision, 'server')).toEqual(server);
    expect(counts(revision, 'client')).toEqual(client);
    expect(run.filter(({ name }) => name.startsWith('auth/'))).toHaveLength(signIn);
    expect(run.filter(({ side }) => side === 'authorization').map(({ name }) => name)).toEqual([
      'authorization-server-metadata-endpoint',
      'authorization-code-grant',
    ]);
  });

  it('that cannot apply are known to the suite, not required, and with those that are run all', () => {
    expect(unknown).toEqual([]);
    expect(listed.filter(({ scored }) => scored)).toEqual([]);
    expect(run.length + listed.length).toBe(readRequirementSet(revision).length);
  });
});
