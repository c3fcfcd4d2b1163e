import { JsonScan, RawObject } from '@gateway/mcp-wire';
import { describe, expect, it } from 'vitest';
import {
  parsePromptEntry,
  parseResourceEntry,
  parseTemplateEntry,
  parseToolEntry,
} from '../src/lists/list-entry.ts';
import type { ParsedEntry } from '../src/lists/list-entry.ts';
import { readList } from '../src/lists/read-list.ts';
import type { RequestOutcome } from '../src/wire/request-outcome.ts';

const kind = { method: 'tools/list', key: 'tools', id: 'name', parse: parseToolEntry } as const;
const schema = { type: 'object' };
const bounds = {
  maxListPages: 3,
  maxListItems: 10,
  maxListChars: 10_000,
  maxEntryChars: 1_000,
  maxDescriptionChars: 100,
};
const asText = (result: string): RequestOutcome => {
  const bytes = Buffer.from(result);
  const scan = new JsonScan(bytes, {});
  scan.advance();
  const raw = scan.root && RawObject.at(bytes, scan.root);
  if (raw === undefined) throw new Error('the result of the test is no object');
  return { ok: true, result: raw };
};
const page = (tools: unknown, nextCursor?: unknown): RequestOutcome =>
  asText(JSON.stringify({ tools, nextCursor }));
const read = (answers: readonly RequestOutcome[], isModern = false) => {
  let next = 0;
  const ask = (): Promise<RequestOutcome> => {
    const answer = answers[next];
    next += 1;
    if (answer === undefined) throw new Error('a page that does not exist was requested');
    return Promise.resolve(answer);
  };
  return readList(kind, { ask, isModern, bounds });
};
const tool = (name: string) => ({ name, inputSchema: schema });
/** An entry of which every field is known. */
const listed = <T extends object>(entry: T) => ({ ...entry, listed: entry });
const names = (outcome: Awaited<ReturnType<typeof read>>) =>
  outcome.ok && outcome.items.map(({ name }) => name);

describe('a list', () => {
  it('is read page by page, in order', async () => {
    expect(await read([page([tool('a')], '1'), page([tool('b')])])).toMatchObject({
      ok: true,
      items: [listed(tool('a')), listed(tool('b'))],
      omitted: 0,
    });
  });

  it('goes on after an empty cursor in 2026-07-28, and ends with it in the 2025 revisions', async () => {
    const pages = [page([tool('a')], ''), page([tool('b')])];
    expect(names(await read(pages, true))).toEqual(['a', 'b']);
    expect(names(await read(pages))).toEqual(['a']);
  });

  it.each([true, false])('ends with a cursor that is null', async (isModern) => {
    const outcome = await read([page([tool('a')], null), page([tool('b')])], isModern);
    expect([names(outcome), outcome.ok && outcome.cut]).toEqual([['a'], undefined]);
  });

  it.each([
    [7, 'number'],
    [true, 'boolean'],
    [{}, 'object'],
    [['x'], 'array'],
  ])('ends with a reason at the cursor %j', async (cursor, type) => {
    const outcome = await read([page([tool('a')], 'x'), page([tool('b')], cursor)]);
    expect([names(outcome), outcome.ok && outcome.cut]).toEqual([
      ['a', 'b'],
      `tools/list: the list ends at page 2, because its nextCursor is of type ${type}, not string`,
    ]);
  });

  it('names the entries that it leaves out, and why', async () => {
    const long = { ...tool('x'.repeat(100)), description: 'y'.repeat(50), own: 'z'.repeat(1_000) };
    const bad: readonly (readonly [unknown, string, string])[] = [
      [{ name: 'none' }, 'none', 'it has no inputSchema'],
      [{ name: 'a', inputSchema: null }, 'a', 'its inputSchema is null, not an object'],
      [{ name: 'b', inputSchema: true }, 'b', 'its inputSchema is a boolean, not an object'],
      [{ name: 'c', inputSchema: [] }, 'c', 'its inputSchema is an array, not an object'],
      [{ name: '' }, 'entry 6', 'its name is empty'],
      [{ name: 7, inputSchema: schema }, 'entry 7', 'its name is a number, not a text'],
      [{ inputSchema: schema }, 'entry 8', 'it has no name'],
      [null, 'entry 9', 'it is not an object'],
      [long, `${'x'.repeat(61)}...`, 'it is longer than 1000 characters'],
    ];
    const entries = [tool('good'), ...bad.map(([entry]) => entry)];
    const outcome = await read([page(entries.slice(0, 5), 'more'), page(entries.slice(5))]);
    expect(names(outcome)).toEqual(['good']);
    const first = bad.map(([, entry, reason]) => ({ entry, reason }));
    expect(outcome).toMatchObject({ omitted: 9, first });
  });

  it('contains the first of several entries with one name, and names the others', async () => {
    const first = { ...tool('a'), description: 'one' };
    const outcome = await read([page([first, tool('b'), tool('a')], '2'), page([tool('b')])]);
    expect(outcome).toMatchObject({ items: [listed(first), listed(tool('b'))], omitted: 2 });
    expect(outcome.ok && outcome.first).toEqual([
      { entry: 'a', reason: 'its name was listed before' },
      { entry: 'b', reason: 'its name was listed before' },
    ]);
  });

  it('names at most 20 of them', async () => {
    const outcome = await readList(kind, {
      ask: () => Promise.resolve(page(Array.from({ length: 30 }, () => ({ name: 'n' })))),
      isModern: false,
      bounds: { ...bounds, maxListItems: 30 },
    });
    expect(outcome.ok && [outcome.omitted, outcome.first.length]).toEqual([30, 20]);
  });

  it('leaves entries out that are nested too deeply to be shown to anybody', async () => {
    const nested = (levels: number) =>
      JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    // The entry itself and its schema are two levels.
    const tools = [126, 127, 900].map((levels) => ({
      name: `of ${levels}`,
      inputSchema: { ...schema, deep: nested(levels) },
    }));
    const reason = 'it is nested more than 128 levels deep';
    const first = ['of 127', 'of 900'].map((entry) => ({ entry, reason }));
    expect(await read([page(tools)])).toMatchObject({
      items: [{ name: 'of 126' }],
      omitted: 2,
      first,
    });
  });

  const many = (length: number, name: string) => [page(Array.from({ length }, () => tool(name)))];
  const timeout = { ok: false, failure: { kind: 'timeout', timeoutMs: 5 } } as const;
  it.each<[string, readonly RequestOutcome[], string]>([
    ['a repeated cursor', [page([], 'x'), page([], 'x')], ': a cursor is repeated'],
    ['too many pages', [page([], '1'), page([], '2'), page([], '3')], ': more than 3 pages'],
    ['too many entries', many(11, 'a'), ': more than 10 entries'],
    ['too many characters', many(10, 'a'.repeat(1_020)), ': more than 10000 characters'],
    ['no list', [page({})], ': the answer has no "tools" list'],
    ['a list that is none', [asText('{"tools":{"a":1}}')], ': the answer has no "tools" list'],
    ['too many bytes', [asText(`{"tools":["${'x'.repeat(60_001)}"]}`)], ': more than 60000 bytes'],
    ['no answer', [timeout], ' was not answered within 5 ms'],
  ])('is refused for %s', async (_what, answers, reason) => {
    expect(await read(answers)).toEqual({ ok: false, reason: `tools/list${reason}` });
  });
});

describe('a list that fails after its first page', () => {
  const refused = { kind: 'refused', rpcCode: -32_602, message: 'Invalid cursor' } as const;
  it.each<[string, string, RequestOutcome, string]>([
    ['a refused page', '2', { ok: false, failure: refused }, 'Invalid cursor'],
    ['a page without a list', '2', page(null), 'the answer has no "tools" list'],
    ['a repeated cursor', '', page([tool('a')], ''), 'a cursor is repeated'],
  ])('has the entries before it: %s', async (_what, cursor, second, reason) => {
    const items = [listed(tool('a'))];
    const outcome = await read([page([tool('a')], cursor), second], true);
    expect(outcome).toMatchObject({ ok: false, reason: `tools/list: ${reason}`, items });
  });

  it('names its method once', async () => {
    const reason = 'tools/list was answered with "result": null';
    const failure = { kind: 'invalid', reason } as const;
    expect(await read([{ ok: false, failure }])).toEqual({ ok: false, reason });
  });
});

const itemOf = <T>(parsed: ParsedEntry<T>): T | undefined => (parsed.ok ? parsed.item : undefined);

describe('the text of a list', () => {
  it('is read entry by entry', async () => {
    const outcome = await read([
      asText('{"tools":[{"name":"a","inputSchema":{"type":"object"}},7],"nextCursor":"é"}'),
      asText('{"nextCursor":null,"tools":[{"name":"b","inputSchema":{"type":"object"}}]}'),
    ]);
    expect(names(outcome)).toEqual(['a', 'b']);
    expect(outcome).toMatchObject({
      first: [{ entry: 'entry 2', reason: 'it is not an object' }],
    });
  });

  it('keeps characters of every kind, wherever the text is divided', async () => {
    const name = `${'x'.repeat(262_130)}${'😀é'.repeat(20)}`;
    const text = `{"tools":[{"name":"a","inputSchema":{},"x":${JSON.stringify(name)}}]}`;
    const outcome = await readList(kind, {
      ask: () => Promise.resolve(asText(text)),
      isModern: false,
      bounds: { ...bounds, maxListChars: 1_000_000, maxEntryChars: 1_000_000 },
    });
    expect(outcome.ok && outcome.items[0]?.listed?.['x']).toBe(name);
  });

  it('parses no entry that is too long', async () => {
    const long = `{"name":"a","inputSchema":{},"x":"${'x'.repeat(6_000)}"}`;
    const outcome = await read([asText(`{"tools":[${long},{"name":"b","inputSchema":{}}]}`)]);
    expect(names(outcome)).toEqual(['b']);
    expect(outcome).toMatchObject({
      first: [{ entry: 'entry 1', reason: 'it is longer than 1000 characters' }],
    });
  });
});

describe('an entry', () => {
  it('preserves exactly the hints that were set', () => {
    const annotations = { readOnlyHint: false, destructiveHint: 'yes', other: true, title: 'T' };
    expect(itemOf(parseToolEntry({ ...tool('a'), annotations, extra: 1 }))).toEqual({
      name: 'a',
      title: 'T',
      inputSchema: schema,
      annotations: { readOnlyHint: false },
      listed: { name: 'a', inputSchema: schema, annotations, extra: 1 },
    });
    expect(itemOf(parseToolEntry({ ...tool('a'), annotations: {} }))).toEqual({
      ...tool('a'),
      listed: { ...tool('a'), annotations: {} },
    });
  });

  it('retains the listed entry, without a copy', () => {
    const entry = { ...tool('a'), outputSchema: schema, _meta: { odd: [1] }, icons: [] };
    const item = itemOf(parseToolEntry(entry));
    expect(item?.listed).toBe(entry);
    expect(item?.inputSchema).toBe(entry.inputSchema);
  });

  it('preserves the known fields of resources, templates and prompts', () => {
    const resource = { uri: 'a:b', name: 'n', mimeType: 't' };
    const whole = { ...resource, size: 3 };
    expect(itemOf(parseResourceEntry(whole))).toEqual({ ...resource, listed: whole });
    const template = { uriTemplate: 'a:{b}', description: 'd' };
    expect(itemOf(parseTemplateEntry(template))).toEqual(listed(template));
    const known = [{ name: 'x', required: true }];
    const prompt = { name: 'p', arguments: [...known, { required: true }] };
    const parsed = { name: 'p', arguments: known, listed: prompt };
    expect(itemOf(parsePromptEntry(prompt))).toEqual(parsed);
    expect([parseResourceEntry({}), parseTemplateEntry({}), parsePromptEntry({})]).toEqual([
      { ok: false, reason: 'it has no uri' },
      { ok: false, reason: 'it has no uriTemplate' },
      { ok: false, reason: 'it has no name' },
    ]);
  });
});
