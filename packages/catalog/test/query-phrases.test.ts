import { describe, expect, it } from 'vitest';
import { explainMatches, rankTools, type CatalogSnapshot } from '../src/index.ts';
import { catalogOf, server, serverTool } from './inventories.ts';
import { readThesaurus } from '../src/thesaurus.ts';

const described = (name: string, description: string) => serverTool(name, { description });

const ranked = (query: string, catalog: CatalogSnapshot): readonly string[] =>
  rankTools(catalog, query, catalog.tools).map(({ tool }) => tool.name);

const matchesOf = (query: string, catalog: CatalogSnapshot) =>
  explainMatches(catalog, query, catalog.tools).flatMap(({ matches }) => matches);

describe('a verb whose parts are apart', () => {
  const notes = catalogOf(
    server('pad', [
      described('write_note', 'Writes a note.'),
      described('download_file', 'Downloads a file.'),
    ]),
  );

  it.each([
    ['jot it all down', 'jot down', 'write'],
    ['write my thoughts down', 'write down', 'write'],
    ['lade es bitte herunter', 'herunterlade', 'download'],
  ])('is read as one: %s', (query, text, tool) =>
    expect(matchesOf(query, notes).map((match) => [match.query, match.tool])).toContainEqual([
      text,
      tool,
    ]),
  );

  it.each([
    ['five words after the verb', 'jot a b c d e down'],
    ['a word that is no particle of it', 'jot it up'],
    ['a prefix that is not at the end', 'lade herunter bitte'],
  ])('is not with %s', (_, query) =>
    expect(matchesOf(query, notes).map((match) => match.query)).not.toContain(
      query.startsWith('jot') ? 'jot down' : 'herunterlade',
    ),
  );
});

describe('an article', () => {
  const shots = catalogOf(
    server('web', [described('screenshot', 'Captures it.'), described('open_page', 'Opens it.')]),
  );

  it.each(['photo of a page', 'photo of the page', 'photo of my page'])(
    'does not count within a phrase: %s',
    (query) => expect(ranked(query, shots)[0]).toBe('x_web_screenshot'),
  );

  it('is no part of a phrase at its ends', () =>
    expect(matchesOf('the page', shots)).toEqual([{ query: 'page', tool: 'page', kind: 'word' }]));
});

describe('data in a query', () => {
  const tools = catalogOf(
    server('kit', [
      described('calculate', 'Evaluates.'),
      described('whois_domain', 'Registrars.'),
      described('send_mail', 'Letters.'),
      described('geocode', 'Places.'),
      described('timezone', 'Clocks.'),
      described('range', 'Grids.'),
    ]),
  );

  it.each([
    ['12% of 950', 'x_kit_calculate'],
    ['17 * 3', 'x_kit_calculate'],
    ['example.com', 'x_kit_whois_domain'],
    ['ann@example.test', 'x_kit_send_mail'],
    ['52.52, 13.405', 'x_kit_geocode'],
    ['9 pm', 'x_kit_timezone'],
    ['A1:C20', 'x_kit_range'],
  ])('stands for tools that take it: %s', (query, tool) =>
    expect(ranked(query, tools)[0]).toBe(tool),
  );

  it.each(['950', 'example com', 'version 1.2.3', 'A1'])('is not seen in %s', (query) =>
    expect(matchesOf(query, tools)).toEqual([]),
  );

  it('is explained', () =>
    expect(matchesOf('12% of 950', tools)).toEqual([
      { query: '12%', tool: 'calculate', kind: 'synonym' },
    ]));
});

describe('a German compound', () => {
  const tools = catalogOf(
    server('a', [described('chart', 'Draws.'), described('recipe', 'Cooks.')]),
  );

  it.each([
    ['Quintilsdiagramm', 'x_a_chart'],
    ['Grünkohlrezept', 'x_a_recipe'],
  ])('of which only the last part is known stands for it: %s', (query, tool) =>
    expect(ranked(query, tools)).toEqual([tool]),
  );

  it('of which only the first part is known does not', () =>
    expect(matchesOf('Rezeptblubbern', tools)).toEqual([]));
});

describe('words that `means` has', () => {
  const thesaurus = readThesaurus([{ means: 'alpha, beta', queries: 'gamma', de: 'delta' }]);

  it('are found with the queries and the translations', () => {
    expect(thesaurus.expansions('gamma')).toEqual([
      { relation: 'query', stems: ['alpha', 'beta'] },
    ]);
    expect(thesaurus.translations('delt')).toEqual([{ relation: 'de', stems: ['alpha', 'beta'] }]);
  });

  it('do not stand for each other', () => expect(thesaurus.expansions('alpha')).toEqual([]));
});

it('counts a phrase that stands for common verbs as little as these', () => {
  const tools = catalogOf(
    server('a', [described('show_view', 'Shows.'), described('weather', 'Skies.')]),
  );
  expect(ranked('tell me the weather', tools)).toEqual(['x_a_weather', 'x_a_show_view']);
  expect(ranked('tell me', tools)).toEqual(['x_a_show_view']);
});
