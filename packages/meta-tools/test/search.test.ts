import type { JsonObject } from '@gateway/call-contract';
import { createThesaurus } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { EXPLAIN_KEY } from '../src/index.ts';
import { EXPLAIN_QUERY_KEY } from '../src/scope/explanations.ts';
import { snapshot, under } from './harness.ts';

const ASKS = { [EXPLAIN_QUERY_KEY]: true };

const explained = async (args: object, meta: JsonObject = ASKS): Promise<unknown> =>
  (await under(undefined, {}, { meta }).result('filter_tools', args))['_meta'];

describe('the explanation of a query', () => {
  const toolsOf = async (args: object) =>
    ((await explained(args)) as Record<string, { tools: readonly JsonObject[] }>)[EXPLAIN_QUERY_KEY]
      ?.tools;

  it('distinguishes words, corrections and synonyms', async () => {
    const tools = await toolsOf({ query: 'files loook open', toolset: ['server:files'] });
    expect(tools?.find(({ name }) => name === 'x_files_read_file')?.['matches']).toEqual(
      expect.arrayContaining([
        { query: 'files', tool: 'file', kind: 'word' },
        { query: 'open', tool: 'read', kind: 'synonym' },
      ]),
    );
  });

  it('has the tools of the page only', async () => {
    const page = { query: 'read', limit: 1, offset: 1 };
    const names = (await toolsOf(page))?.map(({ name }) => name);
    expect(names).toEqual(await under().tools(page));
  });

  it('is made on request only, and with a query only', async () => {
    expect(await explained({ query: 'read' }, {})).not.toHaveProperty([EXPLAIN_QUERY_KEY]);
    expect(await explained({ pattern: '*' })).not.toHaveProperty([EXPLAIN_QUERY_KEY]);
  });

  it('is given together with that of the toolset', async () => {
    const args = { query: 'read', toolset: ['server:files'] };
    const meta = await explained(args, { [EXPLAIN_KEY]: true, ...ASKS });
    expect(meta).toHaveProperty([EXPLAIN_KEY]);
    expect(meta).toHaveProperty([EXPLAIN_QUERY_KEY]);
  });

  it('does not come from an answer to the same question without it', async () => {
    const { result, harness } = under();
    await result('filter_tools', { query: 'read' });
    const again = under(undefined, harness, { meta: ASKS });
    const { _meta } = await again.result('filter_tools', { query: 'read' });
    expect(_meta).toHaveProperty([EXPLAIN_QUERY_KEY]);
  });
});

it('uses the words of the installation', async () => {
  const search = { thesaurus: createThesaurus([['gizmo', 'pods']]) };
  const [first] = await under(undefined, { search }).tools({ query: 'gizmo' });
  expect(first).toBe('x_k8s_pods');
});

describe('with a second ranking', () => {
  const thesaurus = createThesaurus();
  const pods = snapshot.tools.filter(({ name }) => name === 'x_k8s_pods');
  const ranked = (found: typeof pods | undefined) =>
    under(undefined, { search: { thesaurus, nearest: () => Promise.resolve(found) } });

  it('fuses both', async () => {
    expect(await ranked(pods).tools({ query: 'wiki' })).toContain('x_k8s_pods');
  });

  it('ranks by words alone while that one has no answer', async () => {
    const args = { query: 'wiki' };
    expect(await ranked(undefined).filter(args)).toEqual(await under().filter(args));
  });

  it('asks for candidates of the toolset, and only with a query', async () => {
    const asked: unknown[] = [];
    const nearest = (query: string, candidates: readonly { readonly name: string }[]) => {
      asked.push([query, candidates.map(({ name }) => name)]);
      return Promise.resolve(undefined);
    };
    const { filter } = under('server:wiki', { search: { thesaurus, nearest } });
    for (const args of [{ pattern: '*' }, { query: 'read' }]) await filter(args);
    expect(asked).toEqual([['read', ['x_wiki_search', 'x_wiki_edit']]]);
  });
});
