import { readConfiguration } from '@gateway/gateway-config';
import { createGuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { readDirectory } from '@gateway/resource-store';
import { escapeToLine } from '@gateway/service-host';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CommandFailure } from '../failure.ts';
import {
  formatProblemText,
  parseRegistry,
  type RegistryDocument,
  type RegistryServer,
} from '../server-registry/format.ts';
import { chooseVersion, queryWords } from '../server-registry/search.ts';
import { readClientFile } from './client-files.ts';

/** A place that has servers. */
type RegistrySource =
  | { readonly kind: 'file'; readonly label: string; readonly path: string }
  | { readonly kind: 'document'; readonly label: string; readonly url: URL }
  /** The address of the list of servers of a registry with an API. */
  | { readonly kind: 'api'; readonly label: string; readonly url: URL };

const API_PATH = '/v0.1/servers';

/** Returns the address of a list for an address such as `https://registry.example.com` or `https://registry.example.com/v0.1/servers`. */
const listUrl = (url: URL): URL => {
  const path = url.pathname.replace(/\/+$/u, '');
  const list = new URL(url);
  list.pathname = /\/v\d[\w.]*\/servers$/u.test(path) ? path : `${path}${API_PATH}`;
  list.search = '';
  return list;
};

/**
 * Returns the source that a user names: a URL that ends with `.json` is a file, another URL is a registry with an API, and everything else
 * is a file of this machine.
 *
 * @throws CommandFailure for a URL that is not valid
 */
const parseRegistrySource = (text: string): RegistrySource => {
  if (!/^https?:\/\//iu.test(text)) return { kind: 'file', label: text, path: text };
  if (!URL.canParse(text)) throw new CommandFailure('refused', `${text} is not a valid URL`);
  const url = new URL(text);
  url.hash = '';
  const label = `${url.origin}${url.pathname}`;
  return url.pathname.endsWith('.json')
    ? { kind: 'document', label, url }
    : { kind: 'api', label, url: listUrl(url) };
};

interface RegistryRequest {
  readonly registry?: readonly string[] | undefined;
  readonly configDir?: string | undefined;
}

const listRegistries = async (directory: string): Promise<readonly string[]> => {
  const configuration = readConfiguration((await readDirectory(directory)).config);
  if (!configuration.ok)
    throw new CommandFailure(
      'refused',
      `the config.yaml of ${directory} is not valid: run gateway validate --config-dir ${directory}`,
    );
  return configuration.config.servers.registries.map((registry) =>
    parseRegistrySource(registry).kind === 'file' ? resolve(directory, registry) : registry,
  );
};

/** Returns the registries that `--registry` names, otherwise those of `config.yaml`. @throws CommandFailure when there is none */
export const resolveRegistrySources = async ({
  registry,
  configDir,
}: RegistryRequest): Promise<readonly RegistrySource[]> => {
  const named = registry ?? (configDir === undefined ? [] : await listRegistries(configDir));
  if (named.length === 0)
    throw new CommandFailure(
      'refused',
      'no registry is named: use --registry with a server.json, a URL of one, or the URL of a registry such as https://registry.modelcontextprotocol.io, or name registries as servers.registries in config.yaml',
    );
  return [...new Set(named)].map(parseRegistrySource);
};

const MAX_BYTES = 8_000_000;
const TIMEOUT_MS = 30_000;

/**
 * The address was named by the user who runs the command, so that it may be in a private network. It is resolved once, redirects are not
 * followed, and http is for this machine only.
 */
const guardedFetch = createGuardedFetch({
  allowPrivate: true,
  maxBytes: MAX_BYTES,
  timeoutMs: TIMEOUT_MS,
});

/** A text at an address, and how its registry is called in messages. */
interface FetchRequest {
  readonly url: URL;
  readonly label: string;
  readonly signal: AbortSignal;
}

/** Returns the text at an address; `undefined` when it does not exist. @throws CommandFailure when it cannot be read */
const fetchDocument = async ({ url, label, signal }: FetchRequest): Promise<string | undefined> => {
  let response: Response;
  try {
    response = await guardedFetch(url, { headers: { accept: 'application/json' }, signal });
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    throw new CommandFailure('failed', `${label} cannot be read: ${error.message}`);
  }
  if (response.status === 404) return undefined;
  if (response.status !== 200)
    throw new CommandFailure(
      'failed',
      `${label} cannot be read: the response has the status ${String(response.status)}`,
    );
  return response.text();
};

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

const parseDocument = (text: string, label: string): RegistryDocument => {
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
  const { servers, invalid, nextCursor } = parseDocument(
    await readText(source, signal),
    source.label,
  );
  return { servers, invalid, isCut: nextCursor !== undefined };
};

/** A registry searches for one part of names: the longest word finds the fewest servers. */
const searchTerm = (query: string): string =>
  queryWords(query).toSorted((one, other) => other.length - one.length)[0] ?? '';

const createPageUrl = ({ url }: ApiSource, query: string, cursor: string | undefined): URL => {
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
    const text = await fetchDocument({ url: createPageUrl(source, query, cursor), label, signal });
    if (text === undefined)
      throw new CommandFailure('failed', `${label} is not a registry: it has no list of servers`);
    const document = parseDocument(text, label);
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

interface ServerRequest {
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
  const document = text === undefined ? undefined : parseDocument(text, label);
  const servers = (document?.servers ?? []).filter((server) => server.name === name);
  return { servers, invalid: document?.invalid ?? [], isCut: false };
};

/**
 * Reads the versions of a server; none when the source does not have it.
 *
 * @throws CommandFailure when the source cannot be read or is not a registry
 */
const readServer = async (
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

interface Found {
  readonly label: string;
  readonly server: RegistryServer;
}

const quoteServer = (name: string, version: string | undefined): string =>
  version === undefined ? `"${name}"` : `"${name}" in version ${version}`;

const refuse = (message: string): never => {
  throw new CommandFailure('refused', message);
};

const selectServer = (
  { servers, invalid }: RegistryResult,
  { label }: RegistrySource,
  { name, version }: ServerRequest,
): readonly Found[] => {
  const names = [...new Set(servers.map((server) => server.name))];
  if (name === undefined && names.length > 1)
    refuse(`${label} has several servers; name one: ${names.slice(0, 20).join(', ')}`);
  const server = chooseVersion(servers, version);
  const problem = invalid[0]?.problem;
  if (server === undefined && problem !== undefined)
    refuse(
      `${label}: the server ${name ?? ''} is not valid: ${escapeToLine(formatProblemText(problem))}`,
    );
  return server === undefined ? [] : [{ label, server }];
};

/** Finds a server in registries. @throws CommandFailure when no registry has it, or when several have it and differ */
export const findServer = async (
  sources: readonly RegistrySource[],
  request: ServerRequest,
  signal: AbortSignal,
): Promise<RegistryServer> => {
  const results = await Promise.all(
    sources.map(async (source) =>
      selectServer(await readServer(source, request, signal), source, request),
    ),
  );
  const found = results.flat();
  const first = found[0];
  const { name = '', version } = request;
  if (first === undefined)
    return refuse(
      `no registry has the server ${quoteServer(name, version)}: gateway servers search lists the names`,
    );
  // Another registry must not replace a server of this name without notice.
  const other = found.find(({ server }) => !isDeepStrictEqual(server, first.server));
  if (other !== undefined)
    refuse(
      `${first.label} and ${other.label} differ in the server ${quoteServer(first.server.name, version)}: name one of them with --registry`,
    );
  return first.server;
};
