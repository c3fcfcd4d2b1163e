import { buildCatalog, type CatalogSnapshot, type ServerInventory } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { under } from './harness.ts';
import { serverOf, snapshotOf } from './native/native-harness.ts';

const LISTS = ['tools', 'resources', 'prompts'] as const;
type ListName = (typeof LISTS)[number];

interface ListPage {
  readonly entries: readonly { readonly name: string }[];
  readonly text: string;
  readonly members: object;
}

/** A server with this many tools, resources and prompts, each with this description. */
const createServer = (name: string, count: number, description = 'd'): ServerInventory => {
  const items = Array.from({ length: count }, (_, index) => ({
    name: `item_${String(index)}`,
    description,
  }));
  return serverOf(name, [], {
    tools: items.map((item) => ({ ...item, inputSchema: { type: 'object' } })),
    resources: items.map((item) => ({ ...item, uri: `${name}://${item.name}` })),
    prompts: items,
  });
};

const listing = (snapshot: CatalogSnapshot, pageSize?: number) => {
  const parts = { snapshotOf: () => snapshot, ...(pageSize !== undefined && { pageSize }) };
  const { result } = under(undefined, parts);
  return async (list: ListName, args: object = {}): Promise<ListPage> => {
    const { content } = await result(`list_${list}`, args);
    const [{ text }] = content as readonly [{ readonly text: string }];
    const answer = JSON.parse(text) as ListPage['entries'] | Record<ListName, ListPage['entries']>;
    if (Array.isArray(answer)) return { entries: answer, text, members: {} };
    const { [list]: entries, ...members } = answer as Record<ListName, ListPage['entries']>;
    return { entries, text, members };
  };
};

describe.each(LISTS)('list_%s without limit', (list) => {
  it('returns 100 entries, the position, and how many entries each server has', async () => {
    const ask = listing(snapshotOf(createServer('small', 1), createServer('big', 100)));
    const { entries, members } = await ask(list);
    expect(entries).toHaveLength(100);
    expect(members).toMatchObject({
      total: 101,
      truncated: true,
      next_offset: 100,
      servers: { big: 100, small: 1 },
    });
  });

  it('continues at the offset, without the numbers again', async () => {
    const ask = listing(snapshotOf(createServer('big', 101)));
    const { entries, members } = await ask(list, { offset: 100 });
    expect(entries).toHaveLength(1);
    expect(members).toEqual({ total: 101, truncated: false });
  });

  it('is empty beyond the end', async () => {
    const ask = listing(snapshotOf(createServer('big', 101)));
    const { entries, members } = await ask(list, { offset: 1_000 });
    expect(entries).toEqual([]);
    expect(members).toEqual({ total: 101, truncated: false });
  });

  it('returns at most 32 KB, and every entry on some page', async () => {
    const ask = listing(snapshotOf(createServer('big', 100, 'ä'.repeat(300))));
    const names = new Set<string>();
    for (let offset = 0; offset < 100;) {
      const { entries, text } = await ask(list, { offset });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);
      expect(entries.length).toBeGreaterThan(1);
      for (const { name } of entries) names.add(name);
      offset += entries.length;
    }
    expect(names.size).toBe(100);
  });

  it('returns an entry that is larger than 32 KB alone', async () => {
    const ask = listing(snapshotOf(createServer('big', 3, 'd'.repeat(40_000))));
    const { entries, members } = await ask(list, { offset: 1 });
    expect(entries).toHaveLength(1);
    expect(members).toEqual({ total: 3, truncated: true, next_offset: 2 });
  });

  it('returns everything with a page size of 0', async () => {
    const ask = listing(snapshotOf(createServer('big', 200, 'd'.repeat(1_000))), 0);
    const { entries } = await ask(list);
    expect(entries).toHaveLength(200);
  });
});

describe.each(LISTS)('list_%s with limit', (list) => {
  it('returns that many, however large', async () => {
    const ask = listing(snapshotOf(createServer('big', 200, 'd'.repeat(1_000))));
    const { entries, members } = await ask(list, { limit: 150 });
    expect(entries).toHaveLength(150);
    expect(members).toEqual({ total: 200, truncated: true, next_offset: 150 });
  });

  it('returns all with a limit above their number', async () => {
    const { entries, members } = await listing(snapshotOf(createServer('big', 2)))(list, {
      limit: 100_000,
    });
    expect(entries).toHaveLength(2);
    expect(members).toEqual({ total: 2, truncated: false });
  });
});

describe.each(['resources', 'prompts'] as const)('list_%s', (list) => {
  it('is an array when it is whole, unless a page is requested', async () => {
    const ask = listing(snapshotOf(createServer('big', 2)));
    expect((await ask(list)).text).toMatch(/^\[/);
    expect((await ask(list, { limit: 2 })).text).toMatch(/^\{/);
    expect((await ask(list, { offset: 1 })).text).toMatch(/^\{/);
  });
});

describe('the numbers of a first page of tools', () => {
  it('have families by their name, and workflows and core tools by their kind', async () => {
    const { members } = await listing(buildCatalog(catalogInput), 1)('tools');
    expect(members).toEqual({
      total: 9,
      truncated: true,
      next_offset: 1,
      servers: { files: 2, wiki: 2, k8s: 1 },
      kinds: { tool: 5, workflow: 2, core: 2 },
    });
  });

  it('are those of the 100 servers with the most tools, and the number of the others', async () => {
    const servers = Array.from({ length: 150 }, (_, index) =>
      createServer(`server-${String(index)}`, index < 50 ? 1 : 2),
    );
    const { members } = await listing(snapshotOf(...servers))('tools');
    const { servers: counted, more_servers: others } = members as {
      readonly servers: Readonly<Record<string, number>>;
      readonly more_servers: number;
    };
    expect(Object.values(counted)).toEqual(Array.from({ length: 100 }, () => 2));
    expect(others).toBe(50);
  });

  it('take a server of any name', async () => {
    const { text } = await listing(snapshotOf(createServer('__proto__', 2)), 1)('tools');
    expect(text).toContain('"servers":{"__proto__":2}');
  });
});
