import type { JsonObject } from '@gateway/call-contract';
import { createThesaurus } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { EXPLAIN_KEY } from '../src/index.ts';
import { EXPLAIN_QUERY_KEY } from '../src/scope/explanations.ts';
import { toAnswer, harnessOf, listNames, resultOf, snapshot } from './harness.ts';

const ASKS = { [EXPLAIN_QUERY_KEY]: true };

const explained = async (args: object, meta: JsonObject = ASKS): Promise<unknown> => {
  const { _meta } = await resultOf('filter_tools', args, { meta });
  return _meta;
};

describe('the explanation of a query', () => {
  it('distinguishes words, corrections and synonyms', async () => {
    const meta = (await explained({
      query: 'files loook open',
      toolset: ['server:files'],
    })) as JsonObject;
    const { tools } = meta[EXPLAIN_QUERY_KEY] as { tools: readonly JsonObject[] };
    expect(tools.find(({ name }) => name === 'x_files_read_file')?.['matches']).toEqual(
      expect.arrayContaining([
        { query: 'files', tool: 'file', kind: 'word' },
        { query: 'open', tool: 'read', kind: 'synonym' },
      ]),
    );
  });

  it('has the tools of the page only', async () => {
    const meta = (await explained({ query: 'read', limit: 1, offset: 1 })) as JsonObject;
    const { tools } = meta[EXPLAIN_QUERY_KEY] as { tools: readonly JsonObject[] };
    const answer = await toAnswer('filter_tools', { query: 'read', limit: 1, offset: 1 });
    expect(tools.map(({ name }) => name)).toEqual(listNames(answer, 'tools'));
  });

  it('is made on request only, and with a query only', async () => {
    expect(await explained({ query: 'read' }, {})).toBeUndefined();
    expect(await explained({ pattern: '*' })).toBeUndefined();
  });

  it('is given together with that of the toolset', async () => {
    const meta = await explained(
      { query: 'read', toolset: ['server:files'] },
      { [EXPLAIN_KEY]: true, [EXPLAIN_QUERY_KEY]: true },
    );
    expect(Object.keys(meta as JsonObject)).toEqual([EXPLAIN_KEY, EXPLAIN_QUERY_KEY]);
  });

  it('does not come from an answer to the same question without it', async () => {
    const harness = harnessOf();
    await resultOf('filter_tools', { query: 'read' }, { harness });
    const { _meta } = await resultOf('filter_tools', { query: 'read' }, { harness, meta: ASKS });
    expect(_meta).toBeDefined();
  });
});

it('uses the words of the installation', async () => {
  const search = { thesaurus: createThesaurus([['gizmo', 'pods']]) };
  const answer = await toAnswer(
    'filter_tools',
    { query: 'gizmo' },
    { harness: harnessOf({ search }) },
  );
  expect(listNames(answer, 'tools')[0]).toBe('x_k8s_pods');
});

describe('with a second ranking', () => {
  const thesaurus = createThesaurus();
  const pods = snapshot.tools.filter(({ name }) => name === 'x_k8s_pods');

  it('fuses both', async () => {
    const search = { thesaurus, nearest: () => Promise.resolve(pods) };
    const answer = await toAnswer(
      'filter_tools',
      { query: 'wiki' },
      { harness: harnessOf({ search }) },
    );
    expect(listNames(answer, 'tools')).toContain('x_k8s_pods');
  });

  it('ranks by words alone while that one has no answer', async () => {
    const search = { thesaurus, nearest: () => Promise.resolve(undefined) };
    const args = { query: 'wiki' };
    const answer = await toAnswer('filter_tools', args, { harness: harnessOf({ search }) });
    expect(answer).toEqual(await toAnswer('filter_tools', args));
  });

  it('asks for candidates of the toolset, and only with a query', async () => {
    const asked: unknown[] = [];
    const nearest = (query: string, candidates: readonly { readonly name: string }[]) => {
      asked.push([query, candidates.map(({ name }) => name)]);
      return Promise.resolve(undefined);
    };
    const harness = harnessOf({ search: { thesaurus, nearest } });
    await toAnswer('filter_tools', { pattern: '*' }, { harness });
    await toAnswer('filter_tools', { query: 'read' }, { harness, header: 'server:wiki' });
    expect(asked).toEqual([['read', ['x_wiki_search', 'x_wiki_edit']]]);
  });
});
