import path from 'node:path';
import { ignoreMissing, readTextFile } from '@gateway/files';
import { readdir } from 'node:fs/promises';
import type { ServerWriter } from '../../port/server-writer.ts';
import { RESOURCE_DIRECTORIES, yamlBasename } from '../interpretation/file-role.ts';
import { ServerFiles } from './server-files.ts';

/** The configuration directory whose servers are written. */
export interface ServerFilesPlace {
  readonly directory: string;
  readonly apiGroup?: string;
}

/** The file of a server. */
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

const readServer = async (directory: string, name: string): Promise<ServerFile | undefined> => {
  const folder = RESOURCE_DIRECTORIES.MCPServer;
  const names = (await readdir(path.join(directory, folder)).catch(ignoreMissing)) ?? [];
  const found = names.filter((file) => yamlBasename(file) === name).sort()[0];
  if (found === undefined) return undefined;
  const read = await readTextFile(path.join(directory, folder, found), { within: directory });
  return read.kind === 'text' ? { path: `${folder}/${found}`, text: read.text } : undefined;
};

/** Opens the files of the servers of a configuration directory. A namespace in a file is not compared. */
export const openServerFiles = (place: ServerFilesPlace): OpenServerFiles => {
  const files = new ServerFiles({
    ...place,
    onWritten: () => Promise.resolve(),
    isAddressed: () => true,
  });
  return {
    create: files.create,
    patch: files.patch,
    remove: files.remove,
    close: () => files.close(),
    read: (name) => readServer(place.directory, name),
  };
};
