import { describe, expect, it } from 'vitest';
import { buildCatalog, prepareSearch, rankTools, type CatalogSnapshot } from '../src/index.ts';
import { fc, test } from './fast-check.ts';
import { catalogOf, inputOf, server, serverTool } from './inventories.ts';

const ranked = (snapshot: CatalogSnapshot, query: string): readonly string[] =>
  rankTools(snapshot, query, snapshot.tools).map(({ tool }) => tool.name);

const described = (name: string, description: string) => serverTool(name, { description });

describe('what a query is compared with', () => {
  const snapshot = catalogOf(
    server('s', [
      described('other', 'Sends a message.\nAbout parcels.'),
      serverTool('third', {
        description: '',
        inputSchema: {
          properties: { to: { description: 'Who gets the message' }, userName: {}, odd: true },
        },
      }),
      described('sendMessage', 'Something else.'),
    ]),
  );

  it('is the name above the first line of the description above the arguments', () =>
    expect(ranked(snapshot, 'message')).toEqual(['x_s_sendMessage', 'x_s_other', 'x_s_third']));

  it('is the parts of names', () => {
    expect(ranked(snapshot, 'user')).toEqual(['x_s_third']);
    expect(ranked(snapshot, 'USER-NAME')).toEqual(['x_s_third']);
  });

  it('is the whole description', () => expect(ranked(snapshot, 'parcels')).toEqual(['x_s_other']));

  it('is the description beyond what a summary shows', () => {
    const long = described('long', `Does ${'very '.repeat(40)}much with parcels.`);
    expect(ranked(catalogOf(server('s', ['a', long])), 'parcels')).toEqual(['x_s_long']);
  });

  it('is the server, as part of the name', () =>
    expect(ranked(snapshot, 's')).toEqual(['x_s_other', 'x_s_third', 'x_s_sendMessage']));
});

describe('the ranking', () => {
  it('prefers the rarer word', () => {
    const tools = ['red_a', 'red_b', 'red_c', 'blue_d'].map((name) => described(name, ''));
    expect(ranked(catalogOf(server('s', tools)), 'red blue')[0]).toBe('x_s_blue_d');
  });

  it('prefers a tool that has more of the words', () => {
    const snapshot = catalogOf(
      server('s', [described('a', 'Adds a file.'), described('b', 'Adds a file to a folder.')]),
    );
    expect(ranked(snapshot, 'add file folder')).toEqual(['x_s_b', 'x_s_a']);
  });

  it('brings the forms of a word together', () =>
    expect(
      ranked(catalogOf(server('s', [described('delete_directory', '')])), 'deleting directories'),
    ).toEqual(['x_s_delete_directory']));

  it('gives common verbs such as list and get little weight', () => {
    const snapshot = catalogOf(
      server('s', [described('list_a', ''), described('open_b', ''), described('shut_c', '')]),
    );
    expect(ranked(snapshot, 'list open')).toEqual(['x_s_open_b', 'x_s_list_a']);
  });

  it('orders equal scores by catalog order', () => {
    const snapshot = catalogOf(server('b', ['z', 'y']), server('a', ['m', 'k']));
    expect(ranked(snapshot, 'does')).toEqual(['x_a_m', 'x_a_k', 'x_b_z', 'x_b_y']);
  });

  it('scores with four decimals, and never zero', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => described(`t${index}`, 'Same word.'));
    const snapshot = catalogOf(server('s', many));
    const scores = rankTools(snapshot, 'list word', snapshot.tools).map(({ score }) => score);
    expect(scores).toHaveLength(3_000);
    expect(scores.every((score) => score >= 0.0001)).toBe(true);
    expect(scores.every((score) => Math.round(score * 1e4) / 1e4 === score)).toBe(true);
  });

  it('omits tools that are not candidates without changing other scores', () => {
    const snapshot = catalogOf(server('s', ['a', 'b', 'c']));
    const all = rankTools(snapshot, 'does b', snapshot.tools);
    const some = rankTools(snapshot, 'does b', snapshot.tools.slice(1));
    expect(some).toEqual(all.filter(({ tool }) => tool.name !== 'x_s_a'));
  });
});

describe('tools that score less than a sixth of the best', () => {
  it('are left out', () => {
    const snapshot = catalogOf(
      server('s', [
        described('rotate_invoice', 'Rotates an invoice.'),
        described('invoice_total', 'Sums.'),
        ...['list_a', 'list_b', 'list_c', 'list_d'].map((name) => described(name, 'Lists.')),
      ]),
    );
    expect(ranked(snapshot, 'list a rotated invoice')).toEqual([
      'x_s_rotate_invoice',
      'x_s_invoice_total',
    ]);
    expect(ranked(snapshot, 'list')).toHaveLength(4);
  });

  it('stay when their names begin with the query, and do not count as the best', () => {
    const long = `lend_${Array.from({ length: 20 }, (_, index) => `w${index}`).join('_')}`;
    const snapshot = catalogOf(
      server('s', [described('other', 'Lend, lend, lend.')]),
      server('t', [described(long, '')]),
    );
    expect(ranked(snapshot, 'lend')).toEqual([`x_t_${long}`, 'x_s_other']);
  });
});

describe('any query', () => {
  const snapshot = catalogOf(
    server('s', [described('rocket', 'Starts 🚀 now.'), described('train', '查询余票信息')]),
  );

  it('finds nothing without words', () => {
    for (const query of ['', '   ', '🚀', '... --- ___'])
      expect(ranked(snapshot, query)).toEqual([]);
  });

  it('finds text of scripts without spaces', () =>
    expect(ranked(snapshot, '余票')).toEqual(['x_s_train']));

  it('is read up to 4,096 characters and 64 words', () => {
    expect(ranked(snapshot, `${' '.repeat(4_090)}rocket`)).toEqual(['x_s_rocket']);
    expect(ranked(snapshot, `train${' '.repeat(4_091)}rocket`)).toEqual(['x_s_train']);
    expect(ranked(snapshot, `${' '.repeat(4_096)}rocket`)).toEqual([]);
    const words = (count: number) =>
      ['train', ...Array.from({ length: count - 1 }, (_, index) => `w${index}`)].join(' ');
    expect(ranked(snapshot, `${words(63)} rocket`)).toContain('x_s_rocket');
    expect(ranked(snapshot, `${words(64)} rocket`)).toEqual(['x_s_train']);
  });

  it('of 10 MB is answered', () => {
    expect(ranked(snapshot, 'rocket '.repeat(1.4e6))).toEqual(['x_s_rocket']);
    expect(ranked(snapshot, 'a'.repeat(1e7))).toEqual([]);
    expect(ranked(snapshot, '余'.repeat(1e7))).toEqual([]);
    expect(ranked(snapshot, '🚀'.repeat(5e6))).toEqual([]);
  });

  test('returns the same answer twice, best first', fc.string({ unit: 'binary' }), (query) => {
    const answer = rankTools(snapshot, query, snapshot.tools);
    expect(rankTools(snapshot, query, snapshot.tools)).toEqual(answer);
    expect(answer.map(({ score }) => score)).toEqual(
      answer.map(({ score }) => score).sort((a, b) => b - a),
    );
  });
});

describe('a snapshot that replaces another', () => {
  it('is searched by what it holds', () => {
    const [a, b] = [server('a', ['one']), server('b', ['two'])];
    const before = buildCatalog(inputOf([a, b]));
    prepareSearch(before);
    const renamed = server('a', [described('one', 'Now different.')]);
    const after = buildCatalog(inputOf([server('0', ['new']), renamed, b]), before);
    expect(ranked(after, 'two')).toEqual(['x_b_two']);
    expect(ranked(after, 'different')).toEqual(['x_a_one']);
    expect(ranked(after, 'new')).toEqual(['x_0_new']);
    expect(ranked(before, 'new')).not.toContain('x_0_new');
  });

  it('does not mix up tools that share a schema', () => {
    const inputSchema = { type: 'object' };
    const tools = ['red', 'blue'].map((name) => serverTool(name, { inputSchema }));
    const snapshot = catalogOf(server('s', tools));
    expect(ranked(snapshot, 'red')).toEqual(['x_s_red']);
    expect(ranked(snapshot, 'blue')).toEqual(['x_s_blue']);
  });

  it('survives schemas of any shape', () => {
    const texts = [
      '{"properties":[]}',
      '{"properties":null}',
      '{"properties":{"__proto__":{"description":"Deep"}}}',
    ];
    const tools = texts.map((text, index) =>
      serverTool(`t${index}`, { inputSchema: JSON.parse(text) }),
    );
    expect(ranked(catalogOf(server('s', tools)), 'deep')).toEqual(['x_s_t2']);
  });
});
