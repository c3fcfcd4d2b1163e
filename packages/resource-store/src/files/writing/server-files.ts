import { isMapping, type Mapping } from '@gateway/files';
import type { ResourceKey } from '../../port/resource-key.ts';
import type {
  PatchLimits,
  RestrictedWrite,
  ServerWriter,
  ServerWriteResult,
} from '../../port/server-writer.ts';
import type { WriteResult } from '../../port/write-result.ts';
import { RESOURCE_DIRECTORIES } from '../interpretation/file-role.ts';
import { newServerText, patchedServerText, type ServerTextRequest } from './server-text.ts';
import { MISSING, YamlFiles } from './yaml-files.ts';

/** The dependencies of writing the files of one kind. */
export interface ResourceFilesOptions {
  readonly directory: string;
  readonly apiGroup?: string;
  /** Reads a written file into the current state. */
  readonly onWritten: (file: string) => Promise<void>;
  /**
   * Returns whether the resource with this name may be in the namespace of the key. A valid file has a namespace; that of an invalid file
   * is unknown.
   */
  readonly isAddressed: (key: ResourceKey) => boolean;
}

/** Writes the files in `mcpservers/`. */
export class ServerFiles implements ServerWriter {
  readonly #options: ResourceFilesOptions;
  readonly #files: YamlFiles;

  constructor(options: ResourceFilesOptions) {
    const { directory, onWritten } = options;
    this.#options = options;
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

  readonly patch = async (
    key: ResourceKey,
    specPatch: Mapping,
    { keepsDestination }: PatchLimits = { keepsDestination: false },
  ): Promise<ServerWriteResult | RestrictedWrite> => {
    if (!this.#options.isAddressed(key)) return MISSING;
    const request = { ...this.#request(key.name), keepsDestination };
    return this.#files.replace(key.name, (before) => patchedServerText(before, specPatch, request));
  };

  readonly remove = async (key: ResourceKey): Promise<WriteResult> =>
    this.#options.isAddressed(key) ? this.#files.remove(key.name) : MISSING;

  /** Refuses further writes and waits for the running ones. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #request(name: string): ServerTextRequest {
    const { apiGroup } = this.#options;
    return { name, ...(apiGroup === undefined ? {} : { apiGroup }) };
  }
}

/** Returns the name; a document without one is refused later by its validation. */
const nameIn = ({ metadata }: Mapping): string => {
  const name = isMapping(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
};
