import { ANONYMOUS, createPrincipal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createCoreTools, type UsageQuery, type UsageReport } from '../src/index.ts';
import { failure, portsOver } from './ports.ts';

const sums = { calls: 2, errors: 1, resultBytes: 30, lastAt: 60_000, p95Ms: 4.76 };
const REPORT: UsageReport = {
  since: 0,
  until: 3_600_000,
  total: sums,
  rows: [
    { tool: 'x_files_read', ...sums },
    { tool: 'x_files_write', calls: 0, errors: 0, resultBytes: 0 },
  ],
};

const ann = createPrincipal({ issuer: 'https://login.example', subject: 'ann' });

/** Calls the tool over a fixed report; returns the result and the queries. */
const getUsage = async (
  args: object,
  principal = ANONYMOUS,
  query = (): Promise<UsageReport> => Promise.resolve(REPORT),
) => {
  const queries: UsageQuery[] = [];
  const tools = createCoreTools({
    ...portsOver(),
    seesAllRuns: ({ issuer }) => issuer === undefined,
    usage: {
      query: (asked) => {
        queries.push(asked);
        return query();
      },
    },
  });
  const outcome = await tools.call('core_usage_get', args, { principal });
  return { result: outcome.ok ? outcome.result : undefined, queries };
};

describe('core_usage_get', () => {
  it('shows the last 24 hours by tool, with times as RFC 3339', async () => {
    const { result, queries } = await getUsage({});
    const shown = { calls: 2, errors: 1, resultBytes: 30, p95Ms: 4.76 };
    const lastUsed = '1970-01-01T00:01:00.000Z';
    expect(queries).toEqual([{ hours: 24, by: 'tool' }]);
    expect(result?.['structuredContent']).toEqual({
      since: '1970-01-01T00:00:00.000Z',
      until: '1970-01-01T01:00:00.000Z',
      total: { ...shown, lastUsed },
      rows: [
        { tool: 'x_files_read', ...shown, lastUsed },
        { tool: 'x_files_write', calls: 0, errors: 0, resultBytes: 0 },
      ],
      rowCount: 2,
    });
  });

  it('shows as many rows as the limit says, and how many there are', async () => {
    const { result } = await getUsage({ limit: 1 });
    expect(result?.['structuredContent']).toMatchObject({
      rows: [{ tool: 'x_files_read' }],
      rowCount: 2,
    });
  });

  it('passes period, subject and filters on', async () => {
    const args = { hours: 720, by: 'user', tool: 'a', toolset: 'server:b', user: 'c' };
    expect((await getUsage(args)).queries).toEqual([args]);
  });

  it('shows a user who is no administrator the own calls only, also with the filter of another', async () => {
    const { queries } = await getUsage({ user: 'bob' }, ann);
    expect(queries).toEqual([
      { hours: 24, by: 'tool', user: 'bob', principalKey: '["https://login.example","ann"]' },
    ]);
  });

  it.each([
    [{ hours: 721 }, 'hours must be at most 720 (maximum value)'],
    [{ by: 'agent' }, 'by must be one of the enum values: tool, toolset, user'],
    [{ limit: 0 }, 'limit must be at least 1 (minimum value)'],
  ])('refuses %j', async (args, text) => {
    expect((await getUsage(args)).result).toEqual(failure(text));
  });

  it('says why the usage cannot be read', async () => {
    const query = () => Promise.reject(new Error('The state store does not answer.'));
    expect((await getUsage({}, ANONYMOUS, query)).result).toEqual(
      failure('Failed to read the usage: The state store does not answer.'),
    );
  });
});
