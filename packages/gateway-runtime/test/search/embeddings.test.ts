import { describe, expect, it } from 'vitest';
import { toEmbeddedText } from '../../src/search/embeddings.ts';
import { useEmbeddings } from './embedding-scene.ts';
import { startEmbeddingServer } from './embedding-server.ts';

const KEY = 'sk-top-secret';
const TEXTS = ['read a document', 'delete a document', 'rain tomorrow', 'play chess'];

const scene = useEmbeddings(TEXTS, KEY);

describe('the ranking', () => {
  it('has no answer before the vectors of the texts are there, and then the nearest ones', async () => {
    expect(await scene.rank('throw a file away')).toBeUndefined();
    await scene.embeddings.idle();
    expect((await scene.rank('throw a file away'))?.slice(0, 2)).toEqual([1, 0]);
    expect((await scene.rank('do I need an umbrella'))?.[0]).toBe(2);
  });

  it('requests each text and each query once', async () => {
    await scene.ready();
    await scene.rank('file');
    await scene.rank('file', [...scene.texts, toEmbeddedText('read a document')]);
    expect(scene.server.received.map(({ input }) => input)).toEqual([
      scene.texts.map(({ text }) => text),
      ['file'],
    ]);
  });

  it('sends model, key and the beginning of a text', async () => {
    await scene.ready([toEmbeddedText('a'.repeat(10_000))]);
    expect(scene.server.received[0]).toMatchObject({ model: 'small', input: ['a'.repeat(2000)] });
    expect(scene.server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('requests 64 texts at a time, and ranks what is there', async () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      toEmbeddedText(`file ${index.toString()}`),
    );
    scene.embeddings.close();
    scene.create({ key: KEY, maxVectors: 200 });
    await scene.ready(many);
    expect(scene.server.received.map(({ input }) => input.length)).toEqual([64, 64, 22]);
    expect(await scene.rank('file', many)).toHaveLength(50);
  });

  it('evicts the vectors that were used least recently', async () => {
    scene.embeddings.close();
    scene.create({ key: KEY, maxVectors: 2 });
    await scene.ready();
    expect((await scene.rank('rain'))?.[0]).toBe(2);
    expect(await scene.rank('rain')).toHaveLength(2);
  });
});

describe('an endpoint that is away', () => {
  it.each([
    ['answers an error', { status: 500, body: KEY }, 'the endpoint answered 500'],
    ['answers no JSON', { body: `<html>${KEY}` }, 'the endpoint answered something else'],
    ['answers too few vectors', { body: '{"data":[]}' }, 'the endpoint answered something else'],
    [
      'answers vectors that are none',
      { body: JSON.stringify({ data: scene.texts.map(() => ({ embedding: [0, null, 'x'] })) }) },
      'the endpoint answered something else',
    ],
    [
      'answers vectors of different lengths',
      {
        body: JSON.stringify({
          data: scene.texts.map((_, index) => ({ embedding: Array(index + 1).fill(1) })),
        }),
      },
      'the endpoint answered something else',
    ],
    ['redirects', { status: 307 }, 'the endpoint answered 307'],
  ])('that %s leaves the ranking without an answer', async (_title, answer, reason) => {
    scene.server.answer = answer;
    await scene.ready();
    expect(await scene.rank('file')).toBeUndefined();
    expect(scene.changes).toHaveLength(1);
    expect(scene.changes[0]).toContain(reason);
    expect(scene.changes.join()).not.toContain(KEY);
  });

  it('is reported once, requested again after a delay that doubles, and reported when it is back', async () => {
    await scene.server.close();
    await scene.ready();
    expect(await scene.rank('file')).toBeUndefined();
    expect(scene.changes).toEqual([expect.stringContaining('not available') as string]);
    scene.server = await startEmbeddingServer();
    scene.embeddings.close();
    scene.create({ key: KEY });
    scene.server.answer = { status: 503 };
    await scene.ready();
    const requests = () => scene.server.received.length;
    expect(requests()).toBe(1);
    scene.now = 999;
    await scene.ready();
    expect(requests()).toBe(1);
    scene.now = 1000;
    await scene.ready();
    expect(requests()).toBe(2);
    scene.now = 2999;
    await scene.ready();
    expect(requests()).toBe(2);
    scene.server.answer = {};
    scene.now = 3000;
    await scene.ready();
    expect((await scene.rank('file'))?.[0]).toBe(0);
    expect(scene.changes.at(-1)).toBe('the embeddings are available again');
  });

  it('does not delay a query whose vector is cached', async () => {
    await scene.ready();
    const before = await scene.rank('file');
    scene.server.answer = { status: 500 };
    expect(await scene.rank('rain')).toBeUndefined();
    expect(await scene.rank('file')).toEqual(before);
  });

  it('is not what a caller who gives up says about it', async () => {
    await scene.ready();
    const gaveUp = await scene.embeddings.rank('rain', scene.texts, AbortSignal.abort());
    expect([gaveUp, scene.changes]).toEqual([undefined, []]);
    expect((await scene.rank('rain'))?.[0]).toBe(2);
  });
});

it('requests nothing after it was closed', async () => {
  scene.embeddings.close();
  await scene.ready();
  expect([scene.server.received, scene.changes]).toEqual([[], []]);
});
