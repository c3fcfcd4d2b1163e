import {
  ANONYMOUS,
  type CallContext,
  type Caller,
  type CallOutcome,
  type JsonObject,
  toObject,
  toObjects,
} from '@gateway/call-contract';
import { createMemoryStore, openRedisStore, type StateStore } from '@gateway/state-store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KeptResults } from '../src/calls/kept-results.ts';

const ADA = { key: 'ada', subject: 'ada' };

const contextOf = (client?: string, principal = ADA): CallContext => ({
  principal,
  sessionId: undefined,
  signal: new AbortController().signal,
  caller: { client, takesResourceLinks: true } as Caller,
});

const SESSION = contextOf('session:1');

const textResult = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });

/** Kept results over a store, with what a test reads of them. */
const open = (store: StateStore = createMemoryStore(), maxBytes = 10) => {
  const time = { now: 0 };
  const kept = new KeptResults({
    apiGroup: 'gateway.internal',
    store,
    findMaxBytes: () => maxBytes,
    now: () => time.now,
  });
  const cut = async (result: JsonObject, context = SESSION) =>
    toObject(await kept.limit(result, 'files', context));
  return {
    kept,
    time,
    cut,
    /** Cuts a text and returns the URI of what is kept. */
    keep: async (text: string, context = SESSION): Promise<string> => {
      const { _meta } = await cut(textResult(text), context);
      return String(toObject(toObject(_meta)['gateway.internal/result'])['uri']);
    },
    read: async (uri: string, part: object = {}, context = SESSION) =>
      toContent(await kept.read({ uri, ...part }, context)),
  };
};

/** The content of a read, its reason, or undefined. */
const toContent = (outcome: CallOutcome | undefined): unknown =>
  outcome?.ok === true ? toObjects(toObject(outcome.result)['contents'])[0] : outcome?.text;

describe('a result over the limit', () => {
  it('has its first part, its shape, a link and the size in _meta', async () => {
    const rows = JSON.stringify({ rows: Array.from({ length: 3_000 }, (_, id) => ({ id })) });
    const { cut } = open();
    const { content, _meta } = await cut({ ...textResult(rows), _meta: { a: 1 } });
    const { uri, ...facts } = toObject(toObject(_meta)['gateway.internal/result']);
    expect({ uri, facts }).toEqual({
      uri: expect.stringMatching(/^gateway:\/\/results\/[\w-]{22}$/u) as string,
      facts: { bytes: 34_900, next_offset: 10 },
    });
    expect(_meta).toMatchObject({ a: 1 });
    const notice = [
      'These are the first 10 of 34900 bytes.',
      `Read the rest within 10 minutes: get_resource {"uri":"${String(uri)}","offset":10} or {"uri":"${String(uri)}","path":"$"}`,
      'Shape: {rows: [3000 × {id: number}]}',
    ];
    expect(content).toEqual([
      { type: 'text', text: '{"rows":[{' },
      { type: 'text', text: notice.join('\n') },
      { type: 'resource_link', uri, name: 'result' },
    ]);
  });

  it('has no link for a client that does not read links', async () => {
    const old = { ...SESSION, caller: { client: 'session:1' } as Caller };
    const { content } = await open().cut(textResult('a'.repeat(11)), old);
    expect(toObjects(content).map(({ type }) => type)).toEqual(['text', 'text']);
  });

  it('shows 8 KiB where the limit is higher', async () => {
    const { content } = await open(undefined, 10_000).cut(textResult('a'.repeat(10_001)));
    expect(toObjects(content)[0]).toEqual({ type: 'text', text: 'a'.repeat(8_192) });
  });

  it('says what is left out when only the structured content is too large', async () => {
    const { cut, read } = open();
    const structuredContent = { rows: [1, 2, 3] };
    const { content, _meta } = await cut({ ...textResult('3 rows'), structuredContent });
    const { uri, ...facts } = toObject(toObject(_meta)['gateway.internal/result']);
    expect(facts).toEqual({ bytes: 6 });
    expect(toObjects(content).map(({ text }) => text)).toEqual([
      '3 rows',
      `The structured content of 16 bytes is left out.\nRead the rest within 10 minutes: get_resource {"uri":"${String(uri)}","path":"$"}\nShape: {rows: [3 × number]}`,
      undefined,
    ]);
    expect(await read(String(uri), { path: '$.rows[1]' })).toMatchObject({ text: '2' });
  });

  it.each<[string, JsonObject]>([
    ['within the limit', textResult('a')],
    ['an error', { ...textResult('a'.repeat(99)), isError: true }],
    ['an image', { content: [{ type: 'image', data: 'a'.repeat(99), mimeType: 'image/png' }] }],
  ])('is not one that is %s', async (_name, result) => {
    expect(await open().cut(result)).toBe(result);
  });

  it('does not exist where the limit is 0', async () => {
    const result = textResult('a'.repeat(99));
    expect(await open(undefined, 0).cut(result)).toBe(result);
  });

  it('alone is answered later', () => {
    const { kept } = open();
    const error = { ...textResult('a'.repeat(99)), isError: true };
    for (const result of [textResult('aaa'), error])
      expect(kept.limit(result, 'files', SESSION)).toBe(result);
    expect(kept.limit(textResult('a'.repeat(99)), 'files', SESSION)).toBeInstanceOf(Promise);
  });
});

describe('a read of a kept result', () => {
  it('returns a page of whole characters, and where the next one begins', async () => {
    const { keep, read } = open();
    const uri = await keep('aé\u{1f600}bcdefghijk');
    const common = { uri, mimeType: 'text/plain', bytes: 17 };
    expect(await read(uri, { offset: 1, limit: 4 })).toEqual({
      ...common,
      text: 'é',
      offset: 1,
      next_offset: 3,
    });
    expect(await read(uri, { offset: 3, limit: 1 })).toEqual({
      ...common,
      text: '\u{1f600}',
      offset: 3,
      next_offset: 7,
    });
    expect(await read(uri, { offset: 7 })).toEqual({ ...common, text: 'bcdefghijk', offset: 7 });
    expect(await read(uri, { offset: 99 })).toEqual({ ...common, text: '', offset: 17 });
  });

  it('has 32 KiB unless a limit is given, and at most 256 KiB', async () => {
    const { keep, read } = open();
    const uri = await keep('ab'.repeat(300_000));
    expect(await read(uri)).toMatchObject({ next_offset: 32_768 });
    expect(await read(uri, { limit: 1_000_000 })).toMatchObject({ next_offset: 262_144 });
  });

  it('gives the whole text page by page, across the entries of the store', async () => {
    const { keep, read } = open();
    const text = 'aé\u{1f600}'.repeat(90_000);
    const uri = await keep(text);
    const pages: string[] = [];
    for (let offset: unknown = 0; offset !== undefined;) {
      const page = toObject(await read(uri, { offset, limit: 100_001 }));
      pages.push(String(page['text']));
      offset = page['next_offset'];
    }
    expect(pages.length).toBe(7);
    expect(pages.join('') === text).toBe(true);
  });

  it('returns the JSON at a path, and a text without quotes, page by page', async () => {
    const { keep, read } = open();
    const uri = await keep(JSON.stringify({ rows: [{ id: 1 }, { id: 2 }], note: 'é"a"' }));
    const common = { uri, mimeType: 'application/json', offset: 0 };
    expect(await read(uri, { path: '$.rows[*].id' })).toEqual({
      ...common,
      text: '[1,2]',
      bytes: 5,
    });
    expect(await read(uri, { path: 'rows[1]', limit: 3 })).toEqual({
      ...common,
      text: '{"i',
      bytes: 8,
      next_offset: 3,
    });
    expect(await read(uri, { path: '$.note' })).toEqual({
      ...common,
      mimeType: 'text/plain',
      text: 'é"a"',
      bytes: 5,
    });
  });

  it.each([
    ['{"a":[1,2,3,4]}', '$.b', 'the result has nothing at path "$.b"'],
    ['{"a":[1,2,3,4]}', '$[?(@.a)]', "filters and scripts are not allowed in path '$[?(@.a)]'"],
    ['no JSON, but a text', '$', 'the result is not JSON: read it by offset and limit'],
  ])('of %s refuses the path %s', async (text, path, reason) => {
    const { keep, read } = open();
    expect(await read(await keep(text), { path })).toBe(reason);
  });

  it('finds nothing for another user, another session and another id', async () => {
    const { keep, read } = open();
    const uri = await keep('a'.repeat(11));
    expect(await read(uri, {}, contextOf('session:1', ANONYMOUS))).toBeUndefined();
    expect(await read(uri, {}, contextOf('session:2'))).toBeUndefined();
    expect(await read(uri, {}, contextOf())).toBeUndefined();
    expect(await read(`${uri}x`)).toBeUndefined();
    expect(await read(uri)).toMatchObject({ text: 'a'.repeat(11) });
  });

  it('is answered by every replica of the store', async () => {
    const store = createMemoryStore();
    const uri = await open(store).keep('a'.repeat(11));
    expect(await open(store).read(uri)).toMatchObject({ text: 'a'.repeat(11) });
  });
});

describe('a kept result', () => {
  const gone = async (end: (opened: ReturnType<typeof open>) => void) => {
    const store = createMemoryStore();
    const opened = open(store);
    const own = await opened.keep('a'.repeat(11));
    const other = contextOf('session:2', ANONYMOUS);
    const others = await opened.keep('b'.repeat(11), other);
    end(opened);
    return [await open(store).read(own), await open(store).read(others, {}, other)];
  };
  const OTHERS = expect.objectContaining({ text: 'b'.repeat(11) }) as object;

  it('is gone when its session ends', async () => {
    expect(await gone(({ kept }) => kept.endClient('session:1'))).toEqual([undefined, OTHERS]);
  });

  it('is gone when its user signs out, in every replica', async () => {
    expect(await gone(({ kept }) => kept.endUser('ada'))).toEqual([undefined, OTHERS]);
    const store = createMemoryStore();
    const uri = await open(store).keep('a'.repeat(11));
    open(store).kept.endUser('ada');
    expect(await open(store).read(uri)).toBeUndefined();
  });

  it('is gone after 10 minutes', async () => {
    let now = 0;
    const { keep, read } = open(createMemoryStore({ now: () => now }));
    const uri = await keep('a'.repeat(11));
    now = 599_999;
    expect(await read(uri)).toBeDefined();
    now = 600_000;
    expect(await read(uri)).toBeUndefined();
  });
});

describe('the bounds of kept results', () => {
  const MB = 1_000_000;
  const userOf = (name: string) => contextOf('session:1', { key: name, subject: name });

  it('leave a user the last 100 results', async () => {
    const { keep, read } = open();
    const uris: string[] = [];
    for (let index = 0; index < 101; index += 1) uris.push(await keep(`result ${index} of many`));
    expect(await read(uris[0] ?? '')).toBeUndefined();
    expect(await read(uris[1] ?? '')).toMatchObject({ text: 'result 1 of many' });
  });

  it('leave a user the last 32 MiB, and all users the last 64 MiB', async () => {
    const { keep, read } = open();
    const text = 'a'.repeat(10 * MB);
    const areThere = async (uris: readonly string[], context: CallContext) => {
      const pages = await Promise.all(uris.map((uri) => read(uri, { limit: 1 }, context)));
      return pages.map((page) => page !== undefined);
    };
    const [ada, ben, eve] = [userOf('ada'), userOf('ben'), userOf('eve')];
    const ofAda = [];
    for (let index = 0; index < 4; index += 1) ofAda.push(await keep(text, ada));
    expect(await areThere(ofAda, ada)).toEqual([false, true, true, true]);
    const ofBen = [await keep(text, ben), await keep(text, ben), await keep(text, ben)];
    await keep(text, eve);
    expect(await areThere(ofAda, ada)).toEqual([false, false, true, true]);
    expect(await areThere(ofBen, ben)).toEqual([true, true, true]);
  });

  it('count no results that have expired', async () => {
    const { keep, read, time } = open();
    const first = await keep('a'.repeat(11));
    time.now = 600_000;
    for (let index = 0; index < 100; index += 1) await keep(`result ${index} of many`);
    expect(await read(first)).toBeDefined();
  });

  it('do not admit a result of more than 32 MiB, of which the first part is left', async () => {
    const { content, _meta } = await open().cut(textResult('a'.repeat(34 * MB)));
    const problem = 'it is larger than 33554432 bytes.';
    expect(_meta).toEqual({
      'gateway.internal/result': { bytes: 34 * MB, next_offset: 10, problem },
    });
    expect(content).toEqual([
      { type: 'text', text: 'a'.repeat(10) },
      {
        type: 'text',
        text: `These are the first 10 of 34000000 bytes.\nThe rest could not be kept: ${problem}`,
      },
    ]);
  });
});

describe('without its store', () => {
  it('a result has its first part and the reason why the rest is lost; a read fails with the reason', async () => {
    const url = new URL('redis://127.0.0.1:1');
    const log = { info: () => undefined, warn: () => undefined };
    const store = await openRedisStore({ url, prefix: 'test:', log });
    onTestFinished(() => store.close());
    const { cut, read } = open(store);
    const problem = 'The state store is not available: the server did not answer in time.';
    const { content, _meta } = await cut(textResult('a'.repeat(11)));
    expect(_meta).toEqual({ 'gateway.internal/result': { bytes: 11, next_offset: 10, problem } });
    expect(toObjects(content)[1]).toEqual({
      type: 'text',
      text: `These are the first 10 of 11 bytes.\nThe rest could not be kept: ${problem}`,
    });
    expect(await read('gateway://results/abc')).toBe(problem);
  });
});
