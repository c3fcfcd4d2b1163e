import { describe, expect, it } from 'vitest';
import type { Revision, Side } from '../src/scenario.ts';
import { selectionOf } from '../src/selection.ts';
import { requirementSet } from '../src/requirement-set.ts';

/** Returns the number of scenarios of a side, and the number that the revision requires. */
const counts = (revision: Revision, side: Side) => {
  const mine = selectionOf(revision).run.filter((scenario) => scenario.side === side);
  return { run: mine.length, required: mine.filter(({ scored }) => scored).length };
};

describe('the scenarios that are run', () => {
  it('are all that 2025-11-25 asks of a server, and the three that are only reported', () => {
    expect(counts('2025-11-25', 'server')).toEqual({ run: 33, required: 30 });
  });

  it('are all that 2026-07-28 asks of a server, and the three that are only reported and no extension', () => {
    expect(counts('2026-07-28', 'server')).toEqual({ run: 40, required: 37 });
  });

  it('are those of 2025-11-25 that ask a client for something else than authorization', () => {
    expect(
      selectionOf('2025-11-25')
        .run.filter(({ side }) => side === 'client')
        .map(({ name }) => name),
    ).toEqual([
      'initialize',
      'tools_call',
      'elicitation-sep1034-client-defaults',
      'sse-retry',
      'json-schema-2020-12-preservation',
    ]);
  });

  it('are those of 2026-07-28 that ask a client for something else than authorization', () => {
    expect(
      selectionOf('2026-07-28')
        .run.filter(({ side }) => side === 'client')
        .map(({ name }) => name),
    ).toEqual([
      'tools_call',
      'request-metadata',
      'sep-2322-client-request-state',
      'http-standard-headers',
      'http-custom-headers',
      'http-invalid-tool-headers',
      'json-schema-ref-no-deref',
      'json-schema-2020-12-preservation',
    ]);
  });
});

describe('the scenarios that cannot apply', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)(
    'are known to the suite, and with those that are run all of %s',
    (revision) => {
      const { run, listed, unknown } = selectionOf(revision);
      expect(unknown).toEqual([]);
      expect(run.length + listed.length).toBe(requirementSet(revision).length);
    },
  );

  it('are authorization and the extension of tasks', () => {
    const names = selectionOf('2026-07-28').listed.map(({ name }) => name);
    expect(names.filter((name) => !/^(auth\/|tasks-)/u.test(name))).toEqual([]);
  });
});
