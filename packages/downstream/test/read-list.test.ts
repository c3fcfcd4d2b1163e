import { describe, expect, it } from 'vitest';
import {
  parsePromptEntry,
  parseResourceEntry,
  parseTemplateEntry,
  parseToolEntry,
} from '../src/lists/parse-entry.ts';
import { readList } from '../src/lists/read-list.ts';
import type { RequestOutcome } from '../src/wire/request-outcome.ts';

const kind = { method: 'tools/list', key: 'tools', parse: parseToolEntry } as const;
const schema = { type: 'object' };
const pages =
  (...answers: readonly RequestOutcome[]) =>
  () =>
    Promise.resolve(answers[next++] ?? answers[answers.length - 1] ?? unreachable);
const entryBounds = { maxEntryChars: 1_000_000, maxDescriptionChars: 100 };
let next = 0;
const unreachable: RequestOutcome = { ok: false, failure: { kind: 'cancelled' } };
const page = (tools: unknown, nextCursor?: unknown): RequestOutcome => ({
  ok: true,
  result: { tools, nextCursor },
});
const read = (
  answers: readonly RequestOutcome[],
  bounds = { maxListPages: 3, maxListItems: 10, ...entryBounds },
) => {
  next = 0;
  return readList(kind, pages(...answers), bounds);
};
const tool = (name: string) => ({ name, inputSchema: schema });
/** An entry of which every field is known. */
const listed = <T extends object>(entry: T) => ({ ...entry, listed: entry });

describe('a list', () => {
  it('is read page by page, in order', async () => {
    expect(await read([page([tool('a')], '1'), page([tool('b')], ''), page([tool('c')])])).toEqual({
      ok: true,
      items: [listed(tool('a')), listed(tool('b'))],
      refused: 0,
    });
  });

  it('leaves entries without what identifies them out', async () => {
    expect(await read([page([tool('a'), { name: '' }, 7, null])])).toEqual({
      ok: true,
      items: [listed(tool('a'))],
      refused: 3,
    });
  });

  it('leaves entries out that are nested too deeply to be shown to anybody', async () => {
    const nested = (levels: number) =>
      JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    // The entry itself and its schema are two levels.
    const tools = [126, 127, 100_000].map((levels) => ({
      name: `of ${levels}`,
      inputSchema: { ...schema, deep: nested(levels) },
    }));
    const outcome = await read([page(tools)]);
    expect(outcome.ok && [outcome.items.map(({ name }) => name), outcome.refused]).toEqual([
      ['of 126'],
      2,
    ]);
  });

  it.each([
    ['a repeated cursor', [page([], 'x'), page([], 'x')], 'tools/list: a cursor is repeated'],
    [
      'too many pages',
      [page([], '1'), page([], '2'), page([], '3')],
      'tools/list: more than 3 pages',
    ],
    [
      'too many entries',
      [page(Array.from({ length: 11 }, () => tool('a')))],
      'tools/list: more than 10 entries',
    ],
    ['no list', [page({})], 'tools/list: the answer has no "tools" list'],
    [
      'no answer',
      [{ ok: false, failure: { kind: 'timeout', timeoutMs: 5 } }] as const,
      'tools/list was not answered within 5 ms',
    ],
  ])('is refused for %s', async (_what, answers, reason) => {
    expect(await read(answers)).toEqual({ ok: false, reason });
  });
});

describe('an entry', () => {
  it('preserves exactly the hints that were set', () => {
    const annotations = { readOnlyHint: false, destructiveHint: 'yes', other: true, title: 'T' };
    expect(parseToolEntry({ ...tool('a'), annotations, extra: 1 })).toEqual({
      name: 'a',
      title: 'T',
      inputSchema: schema,
      annotations: { readOnlyHint: false },
      listed: { name: 'a', inputSchema: schema, annotations, extra: 1 },
    });
    expect(parseToolEntry({ ...tool('a'), annotations: {} })).toEqual({
      ...tool('a'),
      listed: { ...tool('a'), annotations: {} },
    });
  });

  it('retains the listed entry, without a copy', () => {
    const entry = { ...tool('a'), outputSchema: schema, _meta: { odd: [1] }, icons: [] };
    expect(parseToolEntry(entry)?.listed).toBe(entry);
    expect(parseToolEntry(entry)?.inputSchema).toBe(entry.inputSchema);
  });

  it('preserves the known fields of resources, templates and prompts', () => {
    expect(parseResourceEntry({ uri: 'a:b', name: 'n', mimeType: 't', size: 3 })).toEqual({
      uri: 'a:b',
      name: 'n',
      mimeType: 't',
      listed: { uri: 'a:b', name: 'n', mimeType: 't', size: 3 },
    });
    expect(parseTemplateEntry({ uriTemplate: 'a:{b}', description: 'd' })).toEqual({
      uriTemplate: 'a:{b}',
      description: 'd',
      listed: { uriTemplate: 'a:{b}', description: 'd' },
    });
    expect(
      parsePromptEntry({
        name: 'p',
        arguments: [{ name: 'x', required: true }, { required: true }],
      }),
    ).toEqual({
      name: 'p',
      arguments: [{ name: 'x', required: true }],
      listed: { name: 'p', arguments: [{ name: 'x', required: true }, { required: true }] },
    });
    expect([parseResourceEntry({}), parseTemplateEntry({}), parsePromptEntry({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
