import { describe, expect, it } from 'vitest';
import { findNearestVectors, SLICE_NUMBERS, toEmbeddedText } from '../../src/search/embeddings.ts';
import { startEmbeddings, startEmbeddingServer } from './embedding-scene.ts';

const KEY = 'sk-top-secret';
const TEXTS = ['read a document', 'delete a document', 'rain tomorrow', 'play chess'];

const start = (options?: Parameters<typeof startEmbeddings>[1]) =>
  startEmbeddings(TEXTS, { key: KEY, ...options });

/** Embeddings with the vectors of their texts. */
const startReady = async (options?: Parameters<typeof startEmbeddings>[1]) => {
  const scene = await start(options);
  await scene.ready();
  return scene;
};

describe('the ranking', () => {
  it('has no answer before the vectors of the texts are there, and then the nearest ones', async () => {
    const { rank, embeddings } = await start();
    expect(await rank('throw a file away')).toBeUndefined();
    await embeddings.idle();
    expect((await rank('throw a file away'))?.slice(0, 2)).toEqual([1, 0]);
    expect((await rank('do I need an umbrella'))?.[0]).toBe(2);
  });

  it('requests each text and each query once', async () => {
    const { rank, texts, listInputs } = await startReady();
    await rank('file');
    await rank('file', [...texts, toEmbeddedText('read a document')]);
    expect(listInputs()).toEqual([texts.map(({ text }) => text), ['file']]);
  });

  it('sends model, key and the beginning of a text, without half of a character at its end', async () => {
    const { ready, server } = await start();
    await ready([toEmbeddedText('a'.repeat(10_000))]);
    expect(server.received[0]).toMatchObject({ model: 'small', input: ['a'.repeat(2000)] });
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const { text } = toEmbeddedText(`${'a'.repeat(1999)}\u{1f600}`);
    expect(text).toBe(`${'a'.repeat(1999)}\u{fffd}`);
  });

  it('requests 64 texts at a time, and ranks what is there', async () => {
    const { rank, ready, listInputs } = await start({ maxVectors: 200 });
    const many = Array.from({ length: 150 }, (_, index) => toEmbeddedText(`file ${index}`));
    await ready(many);
    expect(listInputs().map(({ length }) => length)).toEqual([64, 64, 22]);
    expect(await rank('file', many)).toHaveLength(50);
  });

  it('evicts the vectors that were used least recently', async () => {
    const { rank } = await startReady({ maxVectors: 2 });
    expect((await rank('rain'))?.[0]).toBe(2);
    expect(await rank('rain')).toHaveLength(2);
  });

  it('requests nothing after it was closed', async () => {
    const { embeddings, ready, server, changes } = await start();
    embeddings.close();
    await ready();
    expect([server.received, changes]).toEqual([[], []]);
  });
});

describe('an endpoint that is away', () => {
  const ODD = 'the endpoint answered something else';
  const bodyOf = (embedding: (index: number) => unknown): string =>
    JSON.stringify({ data: TEXTS.map((_, index) => ({ embedding: embedding(index) })) });

  it.each([
    ['an error', { status: 500, body: KEY }, 'the endpoint answered 500'],
    ['no JSON', { body: `<html>${KEY}` }, ODD],
    ['too few vectors', { body: '{"data":[]}' }, ODD],
    ['vectors that are none', { body: bodyOf(() => [0, null, 'x']) }, ODD],
    ['vectors of different lengths', { body: bodyOf((at) => Array(at + 1).fill(1)) }, ODD],
    ['a redirect', { status: 307 }, 'the endpoint answered 307'],
  ])('that answers %s leaves the ranking without an answer', async (_title, answer, reason) => {
    const { server, ready, rank, changes } = await start();
    server.answer = answer;
    await ready();
    expect(await rank('file')).toBeUndefined();
    expect(changes).toEqual([expect.stringContaining(reason)]);
    expect(changes.join()).not.toContain(KEY);
  });

  it('is reported once', async () => {
    const server = await startEmbeddingServer();
    server.close();
    const { rank, changes } = await startReady({ server });
    expect(await rank('file')).toBeUndefined();
    expect(changes).toEqual([expect.stringContaining('not available')]);
  });

  it('is requested again after a delay that doubles, and reported when it is back', async () => {
    const { server, ready, rank, clock, changes } = await start();
    server.answer = { status: 503 };
    for (const [now, requests] of [
      [0, 1],
      [999, 1],
      [1000, 2],
      [2999, 2],
    ] as const) {
      clock.now = now;
      await ready();
      expect(server.received).toHaveLength(requests);
    }
    server.answer = {};
    clock.now = 3000;
    await ready();
    expect((await rank('file'))?.[0]).toBe(0);
    expect(changes.at(-1)).toBe('the embeddings are available again');
  });

  it('does not delay a query whose vector is cached', async () => {
    const { server, rank } = await startReady();
    const before = await rank('file');
    server.answer = { status: 500 };
    expect(await rank('rain')).toBeUndefined();
    expect(await rank('file')).toEqual(before);
  });

  it('is not what a caller who gives up says about it', async () => {
    const { rank, texts, changes } = await startReady();
    expect(await rank('rain', texts, AbortSignal.abort())).toBeUndefined();
    expect(changes).toEqual([]);
    expect((await rank('rain'))?.[0]).toBe(2);
  });
});

describe('texts that the endpoint refuses', () => {
  const REFUSED = 'refused file';

  it('are left out, are not requested again, and leave the others their vectors', async () => {
    const scene = await start();
    scene.server.refuses = (text) => text === REFUSED;
    const texts = [toEmbeddedText(REFUSED), ...scene.texts];
    await scene.ready(texts);
    expect((await scene.rank('rain', texts))?.[0]).toBe(3);
    expect(await scene.rank('rain', texts)).toHaveLength(4);
    await scene.embeddings.idle();
    const alone = scene.listInputs().filter((input) => input.join() === REFUSED);
    expect([alone.length, scene.changes]).toEqual([1, []]);
  });

  it('are not remembered when the endpoint refuses everything', async () => {
    const { server, ready, changes } = await start();
    server.refuses = () => true;
    await ready();
    expect(server.received).toHaveLength(2);
    expect(changes).toEqual([expect.stringContaining('answered 400')]);
  });

  it('delay no other query', async () => {
    const { server, rank, changes } = await startReady();
    server.refuses = (text) => text === REFUSED;
    expect(await rank(REFUSED)).toBeUndefined();
    expect((await rank('rain'))?.[0]).toBe(2);
    expect(changes).toEqual([]);
  });
});

describe('queries', () => {
  it('that are equal share a request, which a caller who gives up does not end', async () => {
    const { rank, texts, listInputs } = await startReady();
    const gone = new AbortController();
    const calls = [rank('rain', texts, gone.signal), rank('rain'), rank('rain')];
    gone.abort();
    const answers = await Promise.all(calls);
    expect(answers.map((one) => one?.[0])).toEqual([undefined, 2, 2]);
    expect(listInputs().slice(1)).toEqual([['rain']]);
  });

  it('make at most 8 requests at one time; the others have no vectors', async () => {
    const { server, rank } = await startReady();
    let release = (): void => undefined;
    server.held = new Promise((resolve) => (release = resolve));
    const calls = Array.from({ length: 50 }, (_, index) => rank(`rain ${index}`));
    // The calls without a request do not wait for the endpoint.
    expect(await calls.at(-1)).toBeUndefined();
    release();
    const answers = await Promise.all(calls);
    expect(answers.filter((one) => one !== undefined)).toHaveLength(8);
    expect(server.received).toHaveLength(9);
  });
});

describe('many vectors', () => {
  const LENGTH = 8192;
  const one = new Float32Array(LENGTH).fill(1 / Math.sqrt(LENGTH));
  const vectors = Array.from({ length: Math.ceil(SLICE_NUMBERS / LENGTH) * 3 }, () => one);

  it('are compared in slices, between which other work runs', async () => {
    let turns = 0;
    const ranking = findNearestVectors(one, vectors, 2, new AbortController().signal);
    setImmediate(() => (turns += 1));
    expect([await ranking, turns]).toEqual([[0, 1], 1]);
  });

  it('are not compared any more when the caller gives up', async () => {
    const gone = new AbortController();
    const ranking = findNearestVectors(one, vectors, 2, gone.signal);
    gone.abort();
    expect(await ranking).toBeUndefined();
  });
});

describe('vectors of another length', () => {
  const RENEWED =
    'the endpoint of the embeddings answers vectors of another length than before, so all are requested again';

  const startRanked = async () => {
    const scene = await startReady();
    await scene.rank('file');
    const countBatches = (): number => scene.listInputs().filter(({ length }) => length > 1).length;
    return { ...scene, countBatches };
  };

  it('are requested again when the endpoint has another model, and not while they keep their length', async () => {
    const { server, rank, embeddings, changes, countBatches } = await startRanked();
    expect((await rank('umbrella'))?.[0]).toBe(2);
    expect([countBatches(), changes]).toEqual([1, []]);
    server.padding = [0.1, 0.1];
    expect(await rank('rain')).toBeUndefined();
    expect(changes).toEqual([RENEWED]);
    await rank('rain');
    await embeddings.idle();
    expect((await rank('rain'))?.[0]).toBe(2);
    expect((await rank('file'))?.[0]).toBe(0);
    expect([countBatches(), changes]).toEqual([2, [RENEWED]]);
  });

  it('are requested at most once an hour from an endpoint that mixes lengths', async () => {
    const { server, rank, embeddings, clock, changes, countBatches } = await startRanked();
    const mix = async (query: string): Promise<void> => {
      server.padding = [0.1];
      await rank(query);
      server.padding = [];
      await rank(query);
      await embeddings.idle();
    };
    await mix('rain');
    await mix('umbrella');
    clock.now = 3_599_999;
    await mix('snow');
    expect([countBatches(), changes]).toEqual([2, [RENEWED]]);
    clock.now = 3_600_000;
    await mix('wind');
    expect([countBatches(), changes]).toEqual([3, [RENEWED, RENEWED]]);
  });
});
