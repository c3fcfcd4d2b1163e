import { describe, expect, it } from 'vitest';
import { toOutcome } from '../src/conformance/outcome.ts';

const scenario = { revision: '2026-07-28', side: 'server', name: 'x', scored: true } as const;

describe('a scenario', () => {
  it('passes when every check succeeded, independent of information', () => {
    expect(
      toOutcome(scenario, [
        { id: 'a', status: 'SUCCESS' },
        { id: 'b', status: 'INFO', errorMessage: 'note' },
      ]),
    ).toEqual({ scenario, succeeded: 1, problems: [] });
  });

  it.each(['FAILURE', 'WARNING', 'SKIPPED'] as const)('fails by a check with %s', (status) => {
    const checks = [
      { id: 'a', status: 'SUCCESS' },
      { id: 'b', status, errorMessage: 'why' },
    ] as const;
    expect(toOutcome(scenario, checks).problems).toEqual([`${status} b: why`]);
  });

  it('passes as a client that omits features it does not offer', () => {
    const checks = [
      { id: 'a', status: 'SUCCESS' },
      { id: 'b', status: 'SKIPPED' },
    ] as const;
    expect(toOutcome({ ...scenario, side: 'client' }, checks).problems).toEqual([]);
  });

  it('fails when it checked nothing', () => {
    expect(toOutcome(scenario, []).problems).toEqual(['It checked nothing.']);
  });

  it.each(['WARNING', 'SKIPPED'] as const)(
    'fails by a check with %s as an authorization server, whether required or not',
    (status) => {
      const reported = { ...scenario, side: 'authorization', scored: false } as const;
      const checks = [{ id: 'b', status, errorMessage: 'why' }];
      expect(toOutcome(reported, checks).problems).toEqual([`${status} b: why`]);
      expect(toOutcome(reported, []).problems).toEqual(['It checked nothing.']);
    },
  );

  it('passes with only information when the revision does not require more', () => {
    const reported = { ...scenario, scored: false };
    expect(toOutcome(reported, [{ id: 'a', status: 'INFO' }]).problems).toEqual([]);
  });

  it('fails without a report', () => {
    expect(toOutcome(scenario, undefined).problems).toEqual(['The suite wrote no report of it.']);
  });

  it('fails when the client ended badly, though all checks succeeded', () => {
    expect(
      toOutcome(scenario, [{ id: 'a', status: 'SUCCESS' }], 'It ended with 1.').problems,
    ).toEqual(['It ended with 1.']);
  });
});
