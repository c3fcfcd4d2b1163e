import { resolve } from 'node:path';
import { createThesaurus, type CatalogTool } from '@gateway/catalog';
import { toEmbeddedText, type EmbeddedText, Embeddings } from './embeddings.ts';
import type { GatewayConfig } from '@gateway/gateway-config';
import type { SearchPort } from '@gateway/meta-tools';
import type { Logger } from 'pino';
import { readPrivateFile } from '../state-store.ts';

/** Environment variable with the key of the endpoint. */
const KEY_VARIABLE = 'GATEWAY_EMBEDDINGS_KEY';

export interface SearchOptions {
  readonly config: Pick<GatewayConfig, 'search'>;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** The search of the meta-tools, and the end of its requests. */
export interface OpenSearch {
  readonly port: SearchPort;
  readonly close: () => void;
}

type EmbeddingsConfig = NonNullable<GatewayConfig['search']['embeddings']>;

type Key = { readonly ok: true; readonly key?: string } | { readonly ok: false };

function readKey(
  { keyFile }: EmbeddingsConfig,
  { directory = '.', environment = process.env, logger }: SearchOptions,
): Key {
  const value = environment[KEY_VARIABLE];
  if (value) return { ok: true, key: value };
  if (keyFile === undefined) return { ok: true };
  const path = resolve(directory, keyFile);
  const file = readPrivateFile(path);
  if (file.ok) return { ok: true, key: file.lines[0] ?? '' };
  logger.error(
    `search.embeddings.keyFile: ${path} ${file.reason}; searches rank by words alone until the next start`,
  );
  return { ok: false };
}

const formatArgumentNames = ({ inputSchema }: CatalogTool): string => {
  const properties = Object.hasOwn(inputSchema, 'properties') && inputSchema['properties'];
  return typeof properties === 'object' && properties !== null
    ? Object.keys(properties).join(', ')
    : '';
};

const texts = new WeakMap<CatalogTool, EmbeddedText>();

/** The text of a tool whose vector is compared with that of a query; cached with the tool. */
function readText(tool: CatalogTool): EmbeddedText {
  const known = texts.get(tool);
  if (known !== undefined) return known;
  const { name, title = '', description } = tool;
  const text = toEmbeddedText(`${name} ${title}\n${formatArgumentNames(tool)}\n${description}`);
  texts.set(tool, text);
  return text;
}

const findNearest =
  (embeddings: Embeddings): NonNullable<SearchPort['nearest']> =>
  async (query, candidates, signal) => {
    const found = await embeddings.rank(query, candidates.map(readText), signal);
    return found?.flatMap((index) => candidates[index] ?? []);
  };

/** Opens the search that `search` of the configuration describes. The endpoint of embeddings is first used by a query. */
export function openSearch(options: SearchOptions): OpenSearch {
  const { config, logger } = options;
  const thesaurus = createThesaurus(config.search.synonyms);
  const { embeddings: settings } = config.search;
  const key = settings && readKey(settings, options);
  if (settings === undefined || key?.ok !== true) {
    return { port: { thesaurus }, close: () => undefined };
  }
  const { url, model, timeoutMs, maxVectors } = settings;
  const embeddings = new Embeddings({
    url,
    model,
    timeoutMs,
    maxVectors,
    ...(key.key !== undefined && { key: key.key }),
    onChange: (text) => {
      logger.warn({ url }, text);
    },
  });
  const close = (): void => {
    embeddings.close();
  };
  return { port: { thesaurus, nearest: findNearest(embeddings) }, close };
}
