import { expect, it } from 'vitest';
import { toOutcome } from '../src/conformance/outcome.ts';

const scenario = { revision: '2026-07-28', side: 'server', name: 'x', scored: true } as const;
const asClient = { ...scenario, side: 'client' } as const;
const asReported = { ...scenario, scored: false };
const asIssuer = { ...asReported, side: 'authorization' } as const;

const SUCCESS = { id: 'a', status: 'SUCCESS' } as const;
const INFO = { id: 'i', status: 'INFO', errorMessage: 'note' } as const;
const failed = (status: 'FAILURE' | 'WARNING' | 'SKIPPED') =>
  ({ id: 'b', status, errorMessage: 'why' }) as const;

it.each<[what: string, Parameters<typeof toOutcome>, problems: readonly string[]]>([
  [
    'passes when every check succeeded, independent of information',
    [scenario, [SUCCESS, INFO]],
    [],
  ],
  ['fails by a failure', [scenario, [SUCCESS, failed('FAILURE')]], ['FAILURE b: why']],
  ['fails by a warning', [scenario, [SUCCESS, failed('WARNING')]], ['WARNING b: why']],
  ['fails by a skipped check', [scenario, [SUCCESS, failed('SKIPPED')]], ['SKIPPED b: why']],
  ['passes as a client without a feature', [asClient, [SUCCESS, failed('SKIPPED')]], []],
  ['fails when it checked nothing', [scenario, []], ['It checked nothing.']],
  ['fails as an issuer by a warning', [asIssuer, [failed('WARNING')]], ['WARNING b: why']],
  ['fails as an issuer by a skipped check', [asIssuer, [failed('SKIPPED')]], ['SKIPPED b: why']],
  ['fails as an issuer when it checked nothing', [asIssuer, []], ['It checked nothing.']],
  ['passes with only information when the revision requires no more', [asReported, [INFO]], []],
  ['fails without a report', [scenario, undefined], ['The suite wrote no report of it.']],
  [
    'fails when the client ended badly, though all checks succeeded',
    [scenario, [SUCCESS], 'It ended with 1.'],
    ['It ended with 1.'],
  ],
])('a scenario %s', (_what, given, problems) => {
  expect(toOutcome(...given)).toMatchObject({ scenario: given[0], problems });
});

it('a scenario counts the checks that succeeded', () => {
  const problems: readonly string[] = [];
  expect(toOutcome(scenario, [SUCCESS, INFO])).toEqual({ scenario, succeeded: 1, problems });
});
