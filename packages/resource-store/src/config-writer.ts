import type { Mapping } from '@gateway/durable-files';
import type { ConfigDocument } from './store-state.ts';
import type { FileWriteResult, InvalidWrite } from './write-result.ts';

/** How a write of `config.yaml` ended. */
export type ConfigWriteResult =
  Exclude<FileWriteResult, { kind: 'exists' | 'missing' }> | InvalidWrite;

/** Writes `config.yaml`, whole files only. Writes happen one after the other. Never rejects. */
export interface ConfigWriter {
  /**
   * Merges a patch into the document (RFC 7396), and makes the file where there is none. Every byte of the file stays that has no
   * part in it.
   *
   * @param check says what is wrong with the document that would be written; with nothing wrong it is written
   */
  readonly patch: (
    patch: Mapping,
    check: (document: ConfigDocument) => readonly string[],
  ) => Promise<ConfigWriteResult>;
}
