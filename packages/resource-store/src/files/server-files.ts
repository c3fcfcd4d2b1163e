import {
  type RestrictedWrite,
  type ServerWriteOutcome,
  isJsonObject,
} from '@gateway/call-contract';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createSecretPlace, type StoredSecret } from '@gateway/client-config';
import { MAX_RESOURCE_BYTES, parseMcpServer, formatError } from '@gateway/crd-schemas';
import { ignoreMissing, type Mapping, parseYaml, readTextFile, rewriteYaml } from '@gateway/files';
import { RESOURCE_DIRECTORIES, parseYamlBasename } from './scan-directory.ts';
import {
  createWriteFailure,
  type TextOutcome,
  MISSING,
  type CurrentText,
  YamlFiles,
} from './yaml-files.ts';
import {
  changeServer,
  type ChangedServer,
  findRestriction,
} from '../interpretation/change-server.ts';
import { validateResourceName } from '../interpretation/interpret-resources.ts';
import type { ServerWriter } from '../port/resource-store.ts';
import type { ResourceKey } from '../port/resources.ts';

export interface ServerTextRequest {
  /** The base name of the file, which must equal the name of the resource. */
  readonly name: string;
  readonly apiGroup?: string | undefined;
  /** Values of its Secret that it refers to already. */
  readonly secrets?: readonly StoredSecret[] | undefined;
}

export interface ServerPatchRequest extends ServerTextRequest {
  /** Refuse changes of where values of Secrets and ConfigMaps are sent. */
  readonly keepsDestination: boolean;
}

type Made = TextOutcome<ServerWriteOutcome>;

const createRefusal = (reason: string): Made => ({
  ok: false,
  result: createWriteFailure(`the server cannot be written: ${reason}`),
});

const listIssues = (
  document: Mapping,
  { name, apiGroup }: ServerTextRequest,
): readonly string[] => {
  const parsed = parseMcpServer(document, {
    hasPlaceholders: true,
    apiGroup,
  });
  return [...validateResourceName(document, name), ...(parsed.ok ? [] : parsed.error)].map(
    formatError,
  );
};

const makeText = (
  before: string,
  { document, secrets }: Extract<ChangedServer, { ok: true }>,
  request: ServerTextRequest,
): Made => {
  const issues = listIssues(document, request);
  if (issues.length > 0) return { ok: false, result: { kind: 'invalid', issues } };
  const text = rewriteYaml(before, document);
  if (text === undefined)
    return createRefusal('it cannot be written as YAML with the same content');
  return Buffer.byteLength(text) > MAX_RESOURCE_BYTES
    ? createRefusal(`it would be larger than ${String(MAX_RESOURCE_BYTES)} bytes`)
    : { ok: true, text, secrets };
};

const change = (document: Mapping, specPatch: Mapping, request: ServerTextRequest): ChangedServer =>
  changeServer(document, {
    ...request,
    specPatch,
    place: createSecretPlace(request.name, 'files'),
  });

/** Returns the text of a new file, and the secrets that it refers to. Never throws. */
export const renderServerText = (document: Mapping, request: ServerTextRequest): Made => {
  const { spec } = document;
  if (!isJsonObject(spec))
    return { ok: false, result: { kind: 'invalid', issues: listIssues(document, request) } };
  const changed = change({ ...document, spec: {} }, spec, request);
  return changed.ok ? makeText('', changed, request) : changed;
};

/** Returns the existing text with a patch merged into its `spec`, and the new secrets that it refers to. Never throws. */
export const patchServerText = (
  before: CurrentText,
  specPatch: Mapping,
  request: ServerPatchRequest,
): TextOutcome<ServerWriteOutcome | RestrictedWrite> => {
  if (before.kind === 'unusable') return createRefusal(`its file ${before.reason}`);
  const parsed = parseYaml(before.text);
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    return createRefusal('its file is not a YAML mapping; fix it by hand first');
  }
  const changed = change(parsed.value, specPatch, request);
  if (!changed.ok) return changed;
  const result = findRestriction(parsed.value, changed, request);
  return result === undefined ? makeText(before.text, changed, request) : { ok: false, result };
};

export interface ResourceFiles {
  readonly files: YamlFiles;
  readonly apiGroup?: string | undefined;
  /**
   * Returns whether the resource with this name may be in the namespace of the key. A valid file has a namespace; that of an invalid file
   * is unknown.
   */
  readonly isAddressed: (key: ResourceKey) => boolean;
}

/** Returns the name; a document without one is refused later by its validation. */
const nameIn = ({ metadata }: Mapping): string => {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
};

export const createServerWriter = ({
  files,
  apiGroup,
  isAddressed,
}: ResourceFiles): ServerWriter => ({
  create: (document, secrets) => {
    const name = nameIn(document);
    return files.create(name, () => renderServerText(document, { name, apiGroup, secrets }));
  },
  patch: async (key, specPatch, { keepsDestination } = { keepsDestination: false }, secrets) => {
    if (!isAddressed(key)) return MISSING;
    const request = { name: key.name, apiGroup, keepsDestination, secrets };
    return files.replace(key.name, (before) => patchServerText(before, specPatch, request));
  },
  remove: async (key) => (isAddressed(key) ? files.remove(key.name, { isOwner: true }) : MISSING),
});

/** The configuration directory whose servers are written. */
export interface ServerFilesPlace {
  readonly directory: string;
  readonly apiGroup?: string | undefined;
}

export interface ServerFile {
  /** Relative to the configuration directory, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The files of servers, for programs that do not follow the directory. */
export interface OpenServerFiles extends ServerWriter {
  /** Returns the file of a server; `undefined` without a file of this name that can be read. */
  readonly read: (name: string) => Promise<ServerFile | undefined>;
  /** Waits for running writes. */
  readonly close: () => Promise<void>;
}

/** Returns the file of a server; `undefined` without a file of this name that can be read. */
export const readServerFile = async (
  directory: string,
  name: string,
): Promise<ServerFile | undefined> => {
  const folder = RESOURCE_DIRECTORIES.MCPServer;
  const names = (await readdir(path.join(directory, folder)).catch(ignoreMissing)) ?? [];
  const found = names.filter((file) => parseYamlBasename(file) === name).sort()[0];
  if (found === undefined) return undefined;
  const read = await readTextFile(path.join(directory, folder, found), { within: directory });
  return read.kind === 'text' ? { path: `${folder}/${found}`, text: read.text } : undefined;
};

/** Opens the files of the servers of a configuration directory. A namespace in a file is not compared. */
export const openServerFiles = ({ directory, apiGroup }: ServerFilesPlace): OpenServerFiles => {
  const folder = RESOURCE_DIRECTORIES.MCPServer;
  const onWritten = (): Promise<void> => Promise.resolve();
  const files = new YamlFiles({ root: directory, folder, onWritten });
  return {
    ...createServerWriter({ files, apiGroup, isAddressed: () => true }),
    close: () => files.close(),
    read: (name) => readServerFile(directory, name),
  };
};
