import type { Mapping } from '@gateway/durable-files';
import type { FileWriteResult, InvalidWrite } from './write-result.ts';

/** How a write of a server ended. */
export type ServerWriteResult = FileWriteResult | InvalidWrite;

/**
 * Writes the files under `mcpservers/`, whole files only: whatever happens, a file is the old one or the new one. Writes
 * of one name happen one after the other. What breaks a rule of the resource is not written. Never rejects.
 *
 * @spec §1.5
 */
export interface ServerWriter {
  /** Writes a new file, named after `metadata.name`; never over one that is there. */
  readonly create: (document: Mapping) => Promise<ServerWriteResult>;
  /**
   * Merges a patch into `spec` (RFC 7396: null takes a key away, mappings are merged, everything else is replaced). Every byte of
   * the file stays that has no part in it: comments, blank lines, quotes, the order of keys.
   */
  readonly patch: (name: string, specPatch: Mapping) => Promise<ServerWriteResult>;
  /** Deletes the file, valid or not. */
  readonly remove: (name: string) => Promise<FileWriteResult>;
}
