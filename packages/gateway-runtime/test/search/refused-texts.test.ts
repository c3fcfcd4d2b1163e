import { beforeEach, describe, expect, it } from 'vitest';
import { findNearestVectors, SLICE_NUMBERS, toEmbeddedText } from '../../src/search/embeddings.ts';
import { useEmbeddings } from './embedding-scene.ts';

const REFUSED = 'refused file';

const scene = useEmbeddings(['read a document', 'rain tomorrow', 'play chess']);

beforeEach(() => {
  scene.server.refuses = (text) => text === REFUSED;
});

describe('a text that the endpoint refuses', () => {
  it('is left out, is not requested again, and leaves the others their vectors', async () => {
    const texts = [toEmbeddedText(REFUSED), ...scene.texts];
    await scene.rank('rain', texts);
    await scene.embeddings.idle();
    expect((await scene.rank('rain', texts))?.[0]).toBe(2);
    expect(await scene.rank('rain', texts)).toHaveLength(3);
    await scene.embeddings.idle();
    const alone = scene.server.received.filter(({ input }) => input.join() === REFUSED);
    expect([alone.length, scene.changes]).toEqual([1, []]);
  });

  it('is not remembered when the endpoint refuses everything', async () => {
    scene.server.refuses = () => true;
    await scene.rank('rain');
    await scene.embeddings.idle();
    expect(scene.server.received).toHaveLength(2);
    expect(scene.changes).toEqual([expect.stringContaining('answered 400') as string]);
  });

  it('has no half of a character at its end', () => {
    const { text } = toEmbeddedText(`${'a'.repeat(1999)}\u{1f600}`);
    expect(text).toBe(`${'a'.repeat(1999)}\u{fffd}`);
  });
});

describe('queries', () => {
  beforeEach(async () => {
    await scene.rank('anything');
    await scene.embeddings.idle();
  });

  const queries = () => scene.server.received.slice(1).map(({ input }) => input.join());

  it('that are refused delay no other query', async () => {
    expect(await scene.rank(REFUSED)).toBeUndefined();
    expect((await scene.rank('rain'))?.[0]).toBe(1);
    expect(scene.changes).toEqual([]);
  });

  it('that are equal share a request, which a caller who gives up does not end', async () => {
    const gone = new AbortController();
    const calls = [
      scene.rank('rain', scene.texts, gone.signal),
      scene.rank('rain'),
      scene.rank('rain'),
    ];
    gone.abort();
    const [first, ...others] = await Promise.all(calls);
    expect(first).toBeUndefined();
    expect(others.map((one) => one?.[0])).toEqual([1, 1]);
    expect(queries()).toEqual(['rain']);
  });

  it('make at most 8 requests at one time; the others have no vectors', async () => {
    let release = (): void => undefined;
    scene.server.held = new Promise((resolve) => {
      release = resolve;
    });
    const calls = Array.from({ length: 50 }, (_, index) => scene.rank(`rain ${index.toString()}`));
    // The calls without a request do not wait for the endpoint.
    expect(await calls.at(-1)).toBeUndefined();
    release();
    const answers = await Promise.all(calls);
    expect(answers.filter((one) => one !== undefined)).toHaveLength(8);
    expect(queries()).toHaveLength(8);
  });
});

describe('many vectors', () => {
  const LENGTH = 8192;
  const one = new Float32Array(LENGTH).fill(1 / Math.sqrt(LENGTH));
  const vectors = Array.from({ length: Math.ceil(SLICE_NUMBERS / LENGTH) * 3 }, () => one);

  it('are compared in slices, between which other work runs', async () => {
    let turns = 0;
    const ranking = findNearestVectors(one, vectors, 2, new AbortController().signal);
    const count = (): void => {
      turns += 1;
    };
    setImmediate(count);
    expect([await ranking, turns]).toEqual([[0, 1], 1]);
  });

  it('are not compared any more when the caller gives up', async () => {
    const gone = new AbortController();
    const ranking = findNearestVectors(one, vectors, 2, gone.signal);
    gone.abort();
    expect(await ranking).toBeUndefined();
  });
});
