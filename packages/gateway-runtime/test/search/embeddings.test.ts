import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toEmbeddedText, Embeddings } from '../../src/search/embeddings.ts';
import { startEmbeddingServer, type EmbeddingServer } from './embedding-server.ts';

const KEY = 'sk-top-secret';

const TEXTS = ['read a document', 'delete a document', 'rain tomorrow', 'play chess'].map(
  toEmbeddedText,
);

let server: EmbeddingServer;
let embeddings: Embeddings;
let changes: string[];
let now: number;

const create = (rest: { readonly url?: string; readonly maxVectors?: number } = {}): Embeddings =>
  new Embeddings({
    url: server.url,
    model: 'small',
    key: KEY,
    timeoutMs: 20_000,
    maxVectors: 100,
    onChange: (text) => changes.push(text),
    now: () => now,
    ...rest,
  });

beforeEach(async () => {
  server = await startEmbeddingServer();
  changes = [];
  now = 0;
  embeddings = create();
});

afterEach(async () => {
  embeddings.close();
  await server.close();
});

const rank = (query: string, texts = TEXTS) =>
  embeddings.rank(query, texts, new AbortController().signal);

const ready = async (texts = TEXTS): Promise<void> => {
  await rank('anything', texts);
  await embeddings.idle();
};

describe('the ranking', () => {
  it('has no answer before the vectors of the texts are there, and then the nearest ones', async () => {
    expect(await rank('throw a file away')).toBeUndefined();
    await embeddings.idle();
    expect((await rank('throw a file away'))?.slice(0, 2)).toEqual([1, 0]);
    expect((await rank('do I need an umbrella'))?.[0]).toBe(2);
  });

  it('requests each text and each query once', async () => {
    await ready();
    await rank('file');
    await rank('file', [...TEXTS, toEmbeddedText('read a document')]);
    expect(server.received.map(({ input }) => input)).toEqual([
      TEXTS.map(({ text }) => text),
      ['file'],
    ]);
  });

  it('sends model, key and the beginning of a text', async () => {
    await ready([toEmbeddedText('a'.repeat(10_000))]);
    expect(server.received[0]).toMatchObject({ model: 'small', input: ['a'.repeat(2000)] });
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('requests 64 texts at a time, and ranks what is there', async () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      toEmbeddedText(`file ${index.toString()}`),
    );
    embeddings.close();
    embeddings = create({ maxVectors: 200 });
    await ready(many);
    expect(server.received.map(({ input }) => input.length)).toEqual([64, 64, 22]);
    expect(await rank('file', many)).toHaveLength(50);
  });

  it('evicts the vectors that were used least recently', async () => {
    embeddings.close();
    embeddings = create({ maxVectors: 2 });
    await ready();
    expect((await rank('rain'))?.[0]).toBe(2);
    expect(await rank('rain')).toHaveLength(2);
  });
});

describe('an endpoint that is away', () => {
  it.each([
    ['answers an error', { status: 500, body: KEY }, 'the endpoint answered 500'],
    ['answers no JSON', { body: `<html>${KEY}` }, 'the endpoint answered something else'],
    ['answers too few vectors', { body: '{"data":[]}' }, 'the endpoint answered something else'],
    [
      'answers vectors that are none',
      { body: JSON.stringify({ data: TEXTS.map(() => ({ embedding: [0, null, 'x'] })) }) },
      'the endpoint answered something else',
    ],
    [
      'answers vectors of different lengths',
      {
        body: JSON.stringify({
          data: TEXTS.map((_, index) => ({ embedding: Array(index + 1).fill(1) })),
        }),
      },
      'the endpoint answered something else',
    ],
    ['redirects', { status: 307 }, 'the endpoint answered 307'],
  ])('that %s leaves the ranking without an answer', async (_title, answer, reason) => {
    server.answer = answer;
    await ready();
    expect(await rank('file')).toBeUndefined();
    expect(changes).toHaveLength(1);
    expect(changes[0]).toContain(reason);
    expect(changes.join()).not.toContain(KEY);
  });

  it('is reported once, requested again after a delay that doubles, and reported when it is back', async () => {
    await server.close();
    await ready();
    expect(await rank('file')).toBeUndefined();
    expect(changes).toEqual([expect.stringContaining('not available') as string]);
    server = await startEmbeddingServer();
    embeddings.close();
    embeddings = create();
    server.answer = { status: 503 };
    await ready();
    const requests = () => server.received.length;
    expect(requests()).toBe(1);
    now = 999;
    await ready();
    expect(requests()).toBe(1);
    now = 1000;
    await ready();
    expect(requests()).toBe(2);
    now = 2999;
    await ready();
    expect(requests()).toBe(2);
    server.answer = {};
    now = 3000;
    await ready();
    expect((await rank('file'))?.[0]).toBe(0);
    expect(changes.at(-1)).toBe('the embeddings are available again');
  });

  it('does not delay a query whose vector is cached', async () => {
    await ready();
    const before = await rank('file');
    server.answer = { status: 500 };
    expect(await rank('rain')).toBeUndefined();
    expect(await rank('file')).toEqual(before);
  });

  it('is not what a caller who gives up says about it', async () => {
    await ready();
    const gaveUp = await embeddings.rank('rain', TEXTS, AbortSignal.abort());
    expect([gaveUp, changes]).toEqual([undefined, []]);
    expect((await rank('rain'))?.[0]).toBe(2);
  });
});

it('requests nothing after it was closed', async () => {
  embeddings.close();
  await ready();
  expect([server.received, changes]).toEqual([[], []]);
});
