import { describe, expect, it } from 'vitest';
import { searchTools } from '../src/index.ts';
import { catalogOf, server, serverTool } from './inventories.ts';

describe('the filter for descriptions', () => {
  it.each([
    ['a'.repeat(4_000) + 'b' + 'a'.repeat(4_000), 'a'.repeat(16_000)],
    ['b' + 'a'.repeat(8_000), 'a'.repeat(16_000)],
    ['a'.repeat(8_000) + 'b', 'a'.repeat(16_000)],
    ['ab'.repeat(2_000) + 'b' + 'ab'.repeat(2_000), 'ab'.repeat(8_000)],
  ])('takes less than two seconds for 200 hostile descriptions (case %#)', (description, text) => {
    const tools = Array.from({ length: 200 }, (_, index) =>
      serverTool(`t${index}`, { description: text + String(index) }),
    );
    const catalog = catalogOf(server('s', tools));
    const start = performance.now();
    expect(searchTools(catalog, catalog.tools, { description, limit: 5 })).toMatchObject({
      ok: true,
      value: { items: [] },
    });
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('the filter for names', () => {
  const names = Array.from({ length: 2_000 }, (_, index) =>
    `${index}${'a/a'.repeat(30)}`.slice(0, 110),
  );
  const catalog = catalogOf(server('s', names));

  it.each([
    '*a'.repeat(127) + '*b',
    '*?'.repeat(127) + 'b',
    '*[^b]'.repeat(50) + '*b',
    '*[a-z]'.repeat(42) + '*b',
    '*\\a'.repeat(80) + 'b',
    '[[:alpha:]]*'.repeat(20) + 'b',
    '*[^\u{1f600}]'.repeat(36) + 'b',
    '*\u017f'.repeat(120) + 'K',
    '\u{1f468}\u200d'.repeat(60) + '*',
    '*'.repeat(255) + '\u0130',
  ])('compares %j with 2,000 names within a second, in any case', (pattern) => {
    const start = performance.now();
    for (const caseSensitive of [true, false])
      expect(
        searchTools(catalog, catalog.tools, { pattern, caseSensitive, limit: 5 }),
      ).toMatchObject({
        ok: true,
        value: { items: [] },
      });
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
