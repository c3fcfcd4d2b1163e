import { describe, expect, it } from 'vitest';
import { rankTools, type ServerInventory } from '../src/index.ts';
import { searchIndex } from '../src/search-index.ts';
import { catalogOf, server, serverTool } from './inventories.ts';

const word = (number: number): string =>
  Array.from(number.toString(26).padStart(5, '0'), (digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 26)),
  ).join('');

/** A server with tools of different words, 100 each. */
const wordy = (count: number): ServerInventory =>
  server(
    'wordy',
    Array.from({ length: count / 100 }, (_, at) =>
      serverTool(`tool_${word(at)}`, {
        description: Array.from({ length: 100 }, (_one, index) => word(at * 100 + index)).join(' '),
      }),
    ),
  );

const found = (query: string, ...servers: readonly ServerInventory[]): readonly string[] => {
  const snapshot = catalogOf(...servers);
  return rankTools(snapshot, query, snapshot.tools).map(({ tool }) => tool.name);
};

describe('the words of one server', () => {
  it('are all read up to a limit, and their names beyond it', () => {
    expect(found(word(5_950), wordy(6_000))).toContain(`x_wordy_tool_${word(59)}`);
    expect(found(`tool ${word(79)}`, wordy(8_000))[0]).toBe(`x_wordy_tool_${word(79)}`);
    const { segments } = searchIndex(catalogOf(wordy(20_000)));
    expect(segments.map(({ segment }) => segment.words.words.length)[0]).toBeLessThan(6_300);
  });

  it('do not take those of another server', () => {
    const other = server('other', [serverTool('go', { description: 'a Zanzibar ferry' })]);
    expect(found('zanzibar', wordy(20_000), other)).toContain('x_other_go');
  });
});
