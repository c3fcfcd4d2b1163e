import { describe, expect, it } from 'vitest';
import { filterRecords } from '../src/display/data-table.tsx';
import { formatRelativeTime } from '../src/display/page-parts.tsx';

const RECORDS = [
  { name: 'apply', text: 'Applies a plan', state: ['missing'] },
  { name: 'report', text: 'Writes a Report', state: ['available'] },
  { name: 'torn', text: '', state: ['invalid'] },
];

describe('the records of a table', () => {
  it.each([
    [{}, ['apply', 'report', 'torn']],
    [{ query: 'A REPORT' }, ['report']],
    [{ query: 'plan apply' }, ['apply']],
    [{ query: 'plan report' }, []],
    [{ state: 'invalid' }, ['torn']],
    [{ state: 'toString' }, []],
    [{ query: 'a', state: 'available' }, ['report']],
    [{ sort: '-name', other: 'x' }, ['apply', 'report', 'torn']],
  ])('for %o are %o', (search, names) => {
    const found = filterRecords(
      RECORDS,
      {
        filters: [{ key: 'state', label: 'State', valuesOf: ({ state }) => state }],
        textOf: ({ name, text }) => `${name} ${text}`,
      },
      search,
    );
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it('that the gateway has searched are not searched again', () => {
    expect(filterRecords(RECORDS, {}, { query: 'ticket' })).toEqual(RECORDS);
  });
});

it.each([
  [-4_000, '4 sec. ago'],
  [-90_000, '1 min. ago'],
  [-7_200_000, '2 hr. ago'],
  [-86_400_000, 'yesterday'],
  [300_000, 'in 5 min.'],
])('a time that is %i milliseconds away is shown as %s', (ms, text) => {
  expect(formatRelativeTime(ms)).toBe(text);
});
