import { afterEach, beforeEach } from 'vitest';
import { Embeddings, toEmbeddedText } from '../../src/search/embeddings.ts';
import { startEmbeddingServer, type EmbeddingServer } from './embedding-server.ts';

type EmbeddedText = ReturnType<typeof toEmbeddedText>;

/** Embeddings with an endpoint of their own, for each test of a file. */
export class EmbeddingScene {
  server!: EmbeddingServer;
  embeddings!: Embeddings;
  /** What the embeddings reported. */
  changes: string[] = [];
  now = 0;
  readonly texts: readonly EmbeddedText[];

  constructor(texts: readonly string[]) {
    this.texts = texts.map(toEmbeddedText);
  }

  create(rest: { readonly key?: string; readonly maxVectors?: number } = {}): void {
    this.embeddings = new Embeddings({
      url: this.server.url,
      model: 'small',
      timeoutMs: 20_000,
      maxVectors: 100,
      onChange: (text) => this.changes.push(text),
      now: () => this.now,
      ...rest,
    });
  }

  readonly rank = (query: string, texts = this.texts, signal = new AbortController().signal) =>
    this.embeddings.rank(query, texts, signal);

  /** Waits until the vectors of texts were requested. */
  readonly ready = async (texts = this.texts): Promise<void> => {
    await this.rank('anything', texts);
    await this.embeddings.idle();
  };
}

/** A new scene for each test of a file. */
export const useEmbeddings = (texts: readonly string[], key?: string): EmbeddingScene => {
  const scene = new EmbeddingScene(texts);
  beforeEach(async () => {
    scene.server = await startEmbeddingServer();
    scene.changes = [];
    scene.now = 0;
    scene.create(key === undefined ? {} : { key });
  });
  afterEach(async () => {
    scene.embeddings.close();
    await scene.server.close();
  });
  return scene;
};
