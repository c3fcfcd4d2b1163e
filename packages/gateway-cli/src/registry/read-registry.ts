import { queryWords } from '../server-registry/search/search-servers.ts';
import {
  parseRegistry,
  type RegistryDocument,
  type RegistryServer,
} from '../server-registry/format/parse-registry.ts';
import { escapeToLine } from '@gateway/service-host';
import { CommandFailure } from '../failure.ts';
import { readClientFile } from '../setup/client-files.ts';
import { fetchDocument } from './fetch-document.ts';
import type { RegistrySource } from './registry-source.ts';

/** The servers that a source returned. */
export interface RegistryResult {
  readonly servers: readonly RegistryServer[];
  readonly invalid: RegistryDocument['invalid'];
  /** The source has further servers that were not read. */
  readonly isCut: boolean;
}

type ApiSource = Extract<RegistrySource, { kind: 'api' }>;

const MAX_PAGES = 20;
const PAGE_SIZE = 100;

const documentOf = (text: string, label: string): RegistryDocument => {
  const parsed = parseRegistry(text);
  if (!parsed.ok)
    throw new CommandFailure(
      'failed',
      `${label} is not a registry: ${escapeToLine(parsed.problem)}`,
    );
  return parsed.document;
};

const readText = async (
  source: Exclude<RegistrySource, ApiSource>,
  signal: AbortSignal,
): Promise<string> => {
  const { label } = source;
  const text =
    source.kind === 'file'
      ? await readClientFile(source.path)
      : await fetchDocument({ url: source.url, label, signal });
  if (text === undefined) throw new CommandFailure('failed', `${label} does not exist`);
  return text.replace(/^\uFEFF/u, '');
};

const readWhole = async (
  source: Exclude<RegistrySource, ApiSource>,
  signal: AbortSignal,
): Promise<RegistryResult> => {
  const { servers, invalid, nextCursor } = documentOf(await readText(source, signal), source.label);
  return { servers, invalid, isCut: nextCursor !== undefined };
};

/** A registry searches for one part of names: the longest word finds the fewest servers. */
const searchTerm = (query: string): string =>
  queryWords(query).toSorted((one, other) => other.length - one.length)[0] ?? '';

const pageUrl = ({ url }: ApiSource, query: string, cursor: string | undefined): URL => {
  const page = new URL(url);
  page.searchParams.set('version', 'latest');
  page.searchParams.set('limit', String(PAGE_SIZE));
  const term = searchTerm(query);
  if (term !== '') page.searchParams.set('search', term);
  if (cursor !== undefined) page.searchParams.set('cursor', cursor);
  return page;
};

const readPages = async (
  source: ApiSource,
  query: string,
  signal: AbortSignal,
): Promise<RegistryResult> => {
  const { label } = source;
  const documents: RegistryDocument[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    if (documents.length === MAX_PAGES) break;
    const text = await fetchDocument({ url: pageUrl(source, query, cursor), label, signal });
    if (text === undefined)
      throw new CommandFailure('failed', `${label} is not a registry: it has no list of servers`);
    const document = documentOf(text, label);
    documents.push(document);
    cursor = document.nextCursor;
    if (cursor !== undefined && cursors.has(cursor))
      throw new CommandFailure('failed', `${label} returns the same page again`);
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return {
    servers: documents.flatMap(({ servers }) => servers),
    invalid: documents.flatMap(({ invalid }) => invalid),
    isCut: cursor !== undefined,
  };
};

/**
 * Reads the servers of a source that a search can find. A registry with an API compares one word with names itself.
 *
 * @throws CommandFailure when the source cannot be read or is not a registry
 */
export const readServers = (
  source: RegistrySource,
  query: string,
  signal: AbortSignal,
): Promise<RegistryResult> =>
  source.kind === 'api' ? readPages(source, query, signal) : readWhole(source, signal);

/** A server by its name. */
export interface ServerRequest {
  /** Absent for all servers of a file. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

const readOfApi = async (
  { url, label }: ApiSource,
  { name, version = 'latest' }: ServerRequest,
  signal: AbortSignal,
): Promise<RegistryResult> => {
  if (name === undefined)
    throw new CommandFailure('refused', `${label} has many servers: name the one to install`);
  const entry = new URL(url);
  entry.pathname = `${url.pathname}/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const text = await fetchDocument({ url: entry, label, signal });
  const document = text === undefined ? undefined : documentOf(text, label);
  const servers = (document?.servers ?? []).filter((server) => server.name === name);
  return { servers, invalid: document?.invalid ?? [], isCut: false };
};

/**
 * Reads the versions of a server; none when the source does not have it.
 *
 * @throws CommandFailure when the source cannot be read or is not a registry
 */
export const readServer = async (
  source: RegistrySource,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<RegistryResult> => {
  if (source.kind === 'api') return readOfApi(source, request, signal);
  const result = await readWhole(source, signal);
  const isWanted = (name: string | undefined): boolean =>
    request.name === undefined || name === request.name;
  return {
    ...result,
    servers: result.servers.filter(({ name }) => isWanted(name)),
    invalid: result.invalid.filter(({ name }) => isWanted(name)),
  };
};
