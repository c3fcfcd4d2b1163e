import path from 'node:path';
import {
  isMapping,
  type Mapping,
  MAX_FILE_BYTES,
  mergePatch,
  parseYaml,
  rewriteYaml,
} from '@gateway/files';
import { failed, type MadeText, type TextBefore, YamlFiles } from './yaml-files.ts';
import type { ConfigWriter, ConfigWriteResult } from '../port/resource-store.ts';
import type { ConfigDocument } from '../port/resources.ts';

/** The dependencies of writing `config.yaml`. */
export interface ConfigFileParts {
  readonly directory: string;
  /** Reads a written file into the current state. */
  readonly onWritten: (file: string) => Promise<void>;
}

type Check = (document: ConfigDocument) => readonly string[];
type Made = MadeText<ConfigWriteResult>;

const NAME = 'config';
/** The maximum number of attempts: another process may create or delete the file during the write. */
const ATTEMPTS = 3;

const refused = (reason: string): Made => ({
  ok: false,
  result: failed(`config.yaml cannot be written: ${reason}`),
});

/** Writes `config.yaml`. */
export class ConfigFile implements ConfigWriter {
  readonly #files: YamlFiles;
  readonly #file: string;

  constructor({ directory, onWritten }: ConfigFileParts) {
    this.#files = new YamlFiles({ root: directory, onWritten });
    this.#file = path.join(directory, `${NAME}.yaml`);
  }

  readonly patch = async (patch: Mapping, check: Check): Promise<ConfigWriteResult> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const replaced = await this.#files.replace(NAME, (before) =>
        this.#patched(before, patch, check),
      );
      if (replaced.kind !== 'missing' && replaced.kind !== 'exists') return replaced;
      const created = await this.#files.create(NAME, () =>
        this.#patched({ kind: 'text', text: '' }, patch, check),
      );
      if (created.kind !== 'missing' && created.kind !== 'exists') return created;
    }
    return failed('config.yaml is being written by another process');
  };

  /** Refuses further writes and waits for the running ones. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #patched(before: TextBefore, patch: Mapping, check: Check): Made {
    if (before.kind === 'unusable') return refused(`the file ${before.reason}`);
    const parsed = parseYaml(before.text);
    const value = parsed.ok ? (parsed.value ?? {}) : undefined;
    if (!isMapping(value)) return refused('the file is not a YAML mapping; fix it by hand first');
    const text = rewriteYaml(before.text, mergePatch(value, patch) as Mapping);
    return text === undefined
      ? refused('it cannot be written as YAML with the same content')
      : this.#checked(text, check);
  }

  #checked(text: string, check: Check): Made {
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
      return refused(`it would be larger than ${String(MAX_FILE_BYTES)} bytes`);
    }
    const parsed = parseYaml(text);
    if (!parsed.ok) return refused('it cannot be written as YAML with the same content');
    const { value, locate } = parsed;
    const issues = check({ source: this.#file, value, locate });
    return issues.length === 0
      ? { ok: true, text }
      : { ok: false, result: { kind: 'invalid', issues } };
  }
}
