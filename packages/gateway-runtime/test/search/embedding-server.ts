import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** One request that the endpoint received. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly input: readonly string[];
}

/** A small OpenAI-compatible endpoint on loopback. */
export interface EmbeddingServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** The answer to the next requests: a status, or a body instead of the vectors. */
  answer: { readonly status?: number; readonly body?: string };
  /** Requests with a text for which this returns true are answered 400. */
  refuses: (text: string) => boolean;
  /** Numbers that are appended to each vector, as by another model. */
  padding: readonly number[];
  /** Answers are held back until this is resolved. */
  held: Promise<void>;
  close(): Promise<void>;
}

/** What the words of these tests mean: each dimension is a topic. */
const TOPICS = [
  ['file', 'document', 'folder'],
  ['throw', 'delete', 'remove', 'discard'],
  ['weather', 'rain', 'umbrella'],
];

/** The vector of a text: how often it has the words of each topic, and a little of nothing, so that none is zero. */
const vectorOf = (text: string): readonly number[] => [
  ...TOPICS.map((words) => words.reduce((sum, word) => sum + text.split(word).length - 1, 0)),
  0.1,
];

const bodyOf = ({ input }: Received, padding: readonly number[]): string =>
  JSON.stringify({
    object: 'list',
    // Not in order, as the format permits.
    data: input
      .map((text, index) => ({ index, embedding: [...vectorOf(text), ...padding] }))
      .reverse(),
  });

/** Starts the endpoint. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const received: Received[] = [];
  const state: Pick<EmbeddingServer, 'answer' | 'refuses' | 'padding' | 'held'> = {
    answer: {},
    refuses: () => false,
    padding: [],
    held: Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as Received;
      const one = { headers: request.headers, model, input };
      received.push(one);
      const isRefused = input.some((text) => state.refuses(text));
      const { status = isRefused ? 400 : 200, body = bodyOf(one, state.padding) } = state.answer;
      void state.held.then(() => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port.toString()}/v1/embeddings`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
