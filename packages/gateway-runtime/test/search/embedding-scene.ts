import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Embeddings, toEmbeddedText } from '../../src/search/embeddings.ts';

/** One request that the endpoint received. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly input: readonly string[];
}

/** What the words of these tests mean: each dimension is a topic. */
const TOPICS = [
  ['file', 'document', 'folder'],
  ['throw', 'delete', 'remove', 'discard'],
  ['weather', 'rain', 'umbrella'],
];

/** The vector of a text: how often it has the words of each topic, and a little of nothing, so that none is zero. */
const computeVector = (text: string): readonly number[] => [
  ...TOPICS.map((words) => words.reduce((sum, word) => sum + text.split(word).length - 1, 0)),
  0.1,
];

/** Starts a small OpenAI-compatible endpoint on loopback, until the test is over. */
export const startEmbeddingServer = async () => {
  const received: Received[] = [];
  const state = {
    /** The answer to the next requests: a status, or a body instead of the vectors. */
    answer: {} as { readonly status?: number; readonly body?: string },
    /** Requests with a text for which this returns true are answered 400. */
    refuses: (_text: string): boolean => false,
    /** Numbers that are appended to each vector, as by another model. */
    padding: [] as readonly number[],
    /** Answers are held back until this is resolved. */
    held: Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as Received;
      received.push({ headers: request.headers, model, input });
      const data = input.map((text, index) => ({
        index,
        embedding: [...computeVector(text), ...state.padding],
      }));
      const isRefused = input.some((text) => state.refuses(text));
      // Not in order, as the format permits.
      const vectors = JSON.stringify({ object: 'list', data: data.reverse() });
      const { status = isRefused ? 400 : 200, body = vectors } = state.answer;
      void state.held.then(() => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return Object.assign(state, { url: `http://127.0.0.1:${port}/v1/embeddings`, received, close });
};

interface SceneOptions {
  readonly key?: string;
  readonly maxVectors?: number;
  readonly server?: Awaited<ReturnType<typeof startEmbeddingServer>>;
}

/** Embeddings of some texts, with an endpoint of their own. */
export const startEmbeddings = async (words: readonly string[], options: SceneOptions = {}) => {
  const { server = await startEmbeddingServer(), ...rest } = options;
  const texts = words.map(toEmbeddedText);
  const clock = { now: 0 };
  /** What the embeddings reported. */
  const changes: string[] = [];
  const embeddings = new Embeddings({
    url: server.url,
    model: 'small',
    timeoutMs: 20_000,
    maxVectors: 100,
    onChange: (text) => changes.push(text),
    now: () => clock.now,
    ...rest,
  });
  onTestFinished(() => embeddings.close());
  const rank = (query: string, of = texts, signal = new AbortController().signal) =>
    embeddings.rank(query, of, signal);
  /** Waits until the vectors of texts were requested. */
  const ready = async (of = texts): Promise<void> => {
    await rank('anything', of);
    await embeddings.idle();
  };
  /** The texts of each request. */
  const listInputs = () => server.received.map(({ input }) => input);
  return { server, embeddings, texts, clock, changes, rank, ready, listInputs };
};
