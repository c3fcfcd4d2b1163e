import { RESOURCE_DIRECTORIES } from '../files/scan-directory.ts';
import { isMapping, type Mapping } from '@gateway/durable-files';
import type { ServerWriter, ServerWriteResult } from '../server-writer.ts';
import type { FileWriteResult } from '../write-result.ts';
import { YamlFiles } from '../writing/yaml-files.ts';
import { newServerText, patchedServerText, type ServerTextRequest } from './server-text.ts';

/** What writing needs. */
export interface ServerFilesParts {
  readonly directory: string;
  readonly apiGroup?: string;
  /** Takes a file in as it is now. */
  readonly onWritten: (file: string) => Promise<void>;
}

/** The files under `mcpservers/`, as somebody who writes them sees them. */
export class ServerFiles implements ServerWriter {
  readonly #apiGroup: string | undefined;
  readonly #files: YamlFiles;

  constructor({ directory, apiGroup, onWritten }: ServerFilesParts) {
    this.#apiGroup = apiGroup;
    this.#files = new YamlFiles({
      root: directory,
      folder: RESOURCE_DIRECTORIES.MCPServer,
      onWritten,
    });
  }

  readonly create = (document: Mapping): Promise<ServerWriteResult> => {
    const name = nameIn(document);
    return this.#files.create(name, () => newServerText(document, this.#request(name)));
  };

  readonly patch = (name: string, specPatch: Mapping): Promise<ServerWriteResult> =>
    this.#files.replace(name, (before) =>
      patchedServerText(before, specPatch, this.#request(name)),
    );

  readonly remove = (name: string): Promise<FileWriteResult> => this.#files.remove(name);

  /** Refuses what comes from now on and waits for what is running. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #request(name: string): ServerTextRequest {
    const apiGroup = this.#apiGroup;
    return { name, ...(apiGroup === undefined ? {} : { apiGroup }) };
  }
}

/** A document without a name is refused when it is checked. */
const nameIn = ({ metadata }: Mapping): string => {
  const name = isMapping(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
};
