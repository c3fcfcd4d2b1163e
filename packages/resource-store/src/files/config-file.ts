import { isJsonObject } from '@gateway/call-contract';
import path from 'node:path';
import { type Mapping, MAX_FILE_BYTES, mergePatch, parseYaml, rewriteYaml } from '@gateway/files';
import type { YamlFiles } from './yaml-files.ts';
import { createWriteFailure, type TextOutcome, type CurrentText } from './yaml-files.ts';
import type { ConfigWriter, ConfigWriteResult } from '../port/resource-store.ts';
import type { ConfigDocument } from '../port/resources.ts';

type Check = (document: ConfigDocument) => readonly string[];
type Made = TextOutcome<ConfigWriteResult>;

const NAME = 'config';
/** The maximum number of attempts: another process may create or delete the file during the write. */
const ATTEMPTS = 3;

const refuseWrite = (reason: string): Made => ({
  ok: false,
  result: createWriteFailure(`config.yaml cannot be written: ${reason}`),
});

const validateConfigText = (file: string, text: string, check: Check): Made => {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    return refuseWrite(`it would be larger than ${String(MAX_FILE_BYTES)} bytes`);
  const parsed = parseYaml(text);
  if (!parsed.ok) return refuseWrite('it cannot be written as YAML with the same content');
  const { value, locate } = parsed;
  const issues = check({ source: file, value, locate });
  return issues.length === 0
    ? { ok: true, text }
    : { ok: false, result: { kind: 'invalid', issues } };
};

const patchConfigText = (
  before: CurrentText,
  patch: Mapping,
  finish: (text: string) => Made,
): Made => {
  if (before.kind === 'unusable') return refuseWrite(`the file ${before.reason}`);
  const parsed = parseYaml(before.text);
  const value = parsed.ok ? (parsed.value ?? {}) : undefined;
  if (!isJsonObject(value))
    return refuseWrite('the file is not a YAML mapping; fix it by hand first');
  const text = rewriteYaml(before.text, mergePatch(value, patch) as Mapping);
  return text === undefined
    ? refuseWrite('it cannot be written as YAML with the same content')
    : finish(text);
};

export const createConfigWriter = (directory: string, files: YamlFiles): ConfigWriter => ({
  patch: async (patch, check) => {
    const file = path.join(directory, `${NAME}.yaml`);
    const make = (before: CurrentText): Made =>
      patchConfigText(before, patch, (text) => validateConfigText(file, text, check));
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const replaced = await files.replace(NAME, make);
      if (replaced.kind !== 'missing' && replaced.kind !== 'exists') return replaced;
      const created = await files.create(NAME, () => make({ kind: 'text', text: '' }));
      if (created.kind !== 'missing' && created.kind !== 'exists') return created;
    }
    return createWriteFailure('config.yaml is being written by another process');
  },
});
