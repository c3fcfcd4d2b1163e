import { describe, expect, it } from 'vitest';
import {
  buildCatalog,
  createThesaurus,
  explainMatches,
  rankTools,
  type CatalogSnapshot,
} from '../src/index.ts';
import { catalogOf, core, inputOf, server, serverTool, workflow } from './inventories.ts';

const described = (name: string, description: string) => serverTool(name, { description });

const snapshot = catalogOf(
  server('tracker', [
    described('delete_ticket', 'Removes a ticket.'),
    described('list_tickets', 'Lists the tickets of a board.'),
  ]),
  server('sky', [described('get_forecast', 'Returns the weather of a city.')]),
  server('github', [described('create_issue', 'Opens an issue.')]),
  server('gitlab', [described('open_issue', 'Opens an issue.')]),
  server('shot', [described('take_screenshot', 'Captures the page.')]),
  server('db', [described('query_database', 'Runs a statement.')]),
);

const ranked = (query: string, catalog: CatalogSnapshot = snapshot): readonly string[] =>
  rankTools(catalog, query, catalog.tools).map(({ tool }) => tool.name);

const selectBest = (query: string): string | undefined => ranked(query)[0];

describe('a word of a query', () => {
  it.each([
    ['throw away a ticket', 'x_tracker_delete_ticket'],
    ['remove bug', 'x_tracker_delete_ticket'],
    ['temperature', 'x_sky_get_forecast'],
  ])('finds tools with a synonym: %s', (query, tool) => expect(selectBest(query)).toBe(tool));

  it.each([
    ['Wettervorhersage für Berlin', 'x_sky_get_forecast'],
    ['el tiempo en Madrid', 'x_sky_get_forecast'],
    ['la météo à Paris', 'x_sky_get_forecast'],
    ['previsão do tempo', 'x_sky_get_forecast'],
    ['天气', 'x_sky_get_forecast'],
    ['Aufgabe löschen', 'x_tracker_delete_ticket'],
    ['borrar la incidencia', 'x_tracker_delete_ticket'],
    ['supprimer un ticket', 'x_tracker_delete_ticket'],
    ['apagar o chamado', 'x_tracker_delete_ticket'],
    ['Bildschirmfoto aufnehmen', 'x_shot_take_screenshot'],
  ])('finds tools in other languages: %s', (query, tool) => expect(selectBest(query)).toBe(tool));

  it.each([
    ['forcast', 'x_sky_get_forecast'],
    ['wheather', 'x_sky_get_forecast'],
    ['delte tikcet', 'x_tracker_delete_ticket'],
    ['scrennshto', 'x_shot_take_screenshot'],
  ])('finds tools despite mistakes: %s', (query, tool) => expect(selectBest(query)).toBe(tool));

  it.each([
    ['screen shot', 'x_shot_take_screenshot'],
    ['data base', 'x_db_query_database'],
    ['querydatabase', 'x_db_query_database'],
    ['forecaster', 'x_sky_get_forecast'],
  ])('finds tools that write it otherwise: %s', (query, tool) =>
    expect(selectBest(query)).toBe(tool),
  );

  it('carries no weight when it only connects others', () => {
    const catalog = catalogOf(
      server('a', [described('greet', 'Says what is my name in the house.')]),
      server('b', [described('price', 'Returns the price.')]),
    );
    expect(ranked('what is my price in the shop', catalog)).toEqual(['x_b_price']);
    expect(ranked('what is my', catalog)).toEqual([]);
  });
});

describe('the name of', () => {
  it('a server in the query lifts its tools', () => {
    expect(ranked('gitlab issue')[0]).toBe('x_gitlab_open_issue');
    expect(ranked('github issue')[0]).toBe('x_github_create_issue');
    expect(ranked('GitHub')[0]).toBe('x_github_create_issue');
  });

  it('a tool comes first when it is the query, then when it begins with it', () => {
    const catalog = catalogOf(
      server('a', [described('files', 'Everything about read: read, read, read read.')]),
      server('b', ['read_file', 'read']),
      server('read', ['other']),
    );
    expect(ranked('read', catalog)).toEqual([
      'x_b_read',
      'x_b_read_file',
      'x_read_other',
      'x_a_files',
    ]);
    expect(ranked('readFi', catalog)[0]).toBe('x_b_read_file');
    expect(ranked('x_b_read', catalog).slice(0, 2)).toEqual(['x_b_read', 'x_b_read_file']);
  });
});

it('ranks core tools below others at equal score', () => {
  const catalog = buildCatalog(
    inputOf([], {
      workflows: [workflow('thing', { description: 'Lists a thing.' })],
      coreTools: [core('core_thing', { description: 'Lists a thing.' })],
    }),
  );
  const found = rankTools(catalog, 'a thing listed', catalog.tools);
  expect(found.map(({ tool }) => tool.name)).toEqual(['workflow_thing', 'core_thing']);
  expect(found[0]?.score).toBe(found[1]?.score);
});

describe('a query that matches nothing', () => {
  it.each(['zzzqqq', 'zzzqqq the', 'привет', 'مرحبا', '12345', '!?', '🚀🚀', ''])(
    'finds nothing: %j',
    (query) => expect(ranked(query)).toEqual([]),
  );

  it.each(['constructor', 'toString valueOf', '.*+?^${}()|[]\\', 'a\u0000b'])(
    'may be %j',
    (query) => expect(ranked(query)).toEqual([]),
  );
});

describe('the words of an installation', () => {
  it('stand for each other', () => {
    const thesaurus = createThesaurus([
      ['gizmo', 'ticket'],
      ['big red button', 'screenshot'],
    ]);
    const found = (query: string) =>
      rankTools(snapshot, query, snapshot.tools, { thesaurus })[0]?.tool.name;
    expect(found('gizmo list')).toBe('x_tracker_list_tickets');
    expect(found('the big red button')).toBe('x_shot_take_screenshot');
  });
});

describe('an explanation', () => {
  const explained = (query: string, name: string) => {
    const tool = snapshot.tool(name);
    return explainMatches(snapshot, query, tool ? [tool] : [])[0]?.matches;
  };

  it('names the matching word of the tool for each word of the query', () => {
    expect(explained('please delte the bugs', 'x_tracker_delete_ticket')).toEqual([
      { query: 'delte', tool: 'delete', kind: 'correction' },
      { query: 'bugs', tool: 'ticket', kind: 'synonym' },
    ]);
    expect(explained('forecast temperature', 'x_sky_get_forecast')).toEqual([
      { query: 'forecast', tool: 'forecast', kind: 'word' },
      { query: 'temperature', tool: 'weather', kind: 'synonym' },
    ]);
  });

  it('is empty for a tool without a match', () =>
    expect(explained('temperature', 'x_db_query_database')).toEqual([]));
});
