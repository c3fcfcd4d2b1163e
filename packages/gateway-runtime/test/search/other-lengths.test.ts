import { afterEach, beforeEach, expect, it } from 'vitest';
import { toEmbeddedText, Embeddings } from '../../src/search/embeddings.ts';
import { startEmbeddingServer, type EmbeddingServer } from './embedding-server.ts';

const TEXTS = ['read a document', 'rain tomorrow', 'play chess'].map(toEmbeddedText);

const RENEWED =
  'the endpoint of the embeddings answers vectors of another length than before, so all are requested again';

let server: EmbeddingServer;
let embeddings: Embeddings;
let changes: string[];
let now: number;

beforeEach(async () => {
  server = await startEmbeddingServer();
  changes = [];
  now = 0;
  embeddings = new Embeddings({
    url: server.url,
    model: 'small',
    timeoutMs: 20_000,
    maxVectors: 100,
    onChange: (text) => changes.push(text),
    now: () => now,
  });
  await rank('file');
  await embeddings.idle();
  await rank('file');
});

afterEach(async () => {
  embeddings.close();
  await server.close();
});

const rank = (query: string) => embeddings.rank(query, TEXTS, new AbortController().signal);

const batches = (): number => server.received.filter(({ input }) => input.length > 1).length;

it('requests all vectors again when the endpoint has another model', async () => {
  server.padding = [0.1, 0.1];
  expect(await rank('rain')).toBeUndefined();
  expect(changes).toEqual([RENEWED]);
  await rank('rain');
  await embeddings.idle();
  expect((await rank('rain'))?.[0]).toBe(1);
  expect((await rank('file'))?.[0]).toBe(0);
  expect([batches(), changes]).toEqual([2, [RENEWED]]);
});

it('requests them at most once an hour from an endpoint that mixes lengths', async () => {
  const mix = async (query: string): Promise<void> => {
    server.padding = [0.1];
    await rank(query);
    server.padding = [];
    await rank(query);
    await embeddings.idle();
  };
  await mix('rain');
  await mix('umbrella');
  now = 3_599_999;
  await mix('snow');
  expect([batches(), changes]).toEqual([2, [RENEWED]]);
  now = 3_600_000;
  await mix('wind');
  expect([batches(), changes]).toEqual([3, [RENEWED, RENEWED]]);
});

it('requests nothing again from an endpoint whose vectors keep their length', async () => {
  expect((await rank('rain'))?.[0]).toBe(1);
  expect([batches(), changes]).toEqual([1, []]);
});
