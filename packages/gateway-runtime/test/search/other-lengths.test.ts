import { beforeEach, expect, it } from 'vitest';
import { useEmbeddings } from './embedding-scene.ts';

const RENEWED =
  'the endpoint of the embeddings answers vectors of another length than before, so all are requested again';

const scene = useEmbeddings(['read a document', 'rain tomorrow', 'play chess']);

beforeEach(async () => {
  await scene.rank('file');
  await scene.embeddings.idle();
  await scene.rank('file');
});

const batches = (): number => scene.server.received.filter(({ input }) => input.length > 1).length;

it('requests all vectors again when the endpoint has another model', async () => {
  scene.server.padding = [0.1, 0.1];
  expect(await scene.rank('rain')).toBeUndefined();
  expect(scene.changes).toEqual([RENEWED]);
  await scene.rank('rain');
  await scene.embeddings.idle();
  expect((await scene.rank('rain'))?.[0]).toBe(1);
  expect((await scene.rank('file'))?.[0]).toBe(0);
  expect([batches(), scene.changes]).toEqual([2, [RENEWED]]);
});

it('requests them at most once an hour from an endpoint that mixes lengths', async () => {
  const mix = async (query: string): Promise<void> => {
    scene.server.padding = [0.1];
    await scene.rank(query);
    scene.server.padding = [];
    await scene.rank(query);
    await scene.embeddings.idle();
  };
  await mix('rain');
  await mix('umbrella');
  scene.now = 3_599_999;
  await mix('snow');
  expect([batches(), scene.changes]).toEqual([2, [RENEWED]]);
  scene.now = 3_600_000;
  await mix('wind');
  expect([batches(), scene.changes]).toEqual([3, [RENEWED, RENEWED]]);
});

it('requests nothing again from an endpoint whose vectors keep their length', async () => {
  expect((await scene.rank('rain'))?.[0]).toBe(1);
  expect([batches(), scene.changes]).toEqual([1, []]);
});
