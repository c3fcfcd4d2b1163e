import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ModelConfig } from '../store/agent-store.ts';
import {
  readErrorCode,
  toFingerprint,
  parseYamlDocuments,
  readTextFile,
  type ParsedYaml,
} from '@gateway/files';
import { AMBIGUOUS_AGE_MS, isYamlFile, MAX_MODEL_FILES } from './layout.ts';
import {
  freezePlainData,
  applyNamespace,
  hasKind,
  formatShapeProblem,
  validateShape,
  formatYamlProblem,
} from './read-manifest.ts';
import { readNestedValue } from '../values/lenient.ts';

/** The location of models, and the listener of warnings. */
export interface ModelFilesParts {
  readonly root: string;
  /** The namespace of models without one. */
  readonly defaultNamespace: string;
  readonly onWarning: (sentence: string) => void;
}

/** Models by namespace, or the reason why they are unknown. */
export type ListedModels =
  | { readonly ok: true; readonly models: ReadonlyMap<string, readonly ModelConfig[]> }
  | { readonly ok: false; readonly problem: string };

interface ModelFile {
  readonly fingerprint: string | undefined;
  /** Its models, or those of its last valid version. */
  readonly models: readonly ModelConfig[] | undefined;
  readonly problem: string | undefined;
}

const FOLDER = 'modelconfigs';
const KIND = 'ModelConfig';
const GROUP = 'kagent.dev';

/** The models of a text, or the problem as the text after the file name. */
type Documents =
  | { readonly ok: true; readonly models: readonly ModelConfig[] }
  | { readonly ok: false; readonly reason: string };

const parseModel = (
  parsed: Extract<ParsedYaml, { ok: true }>,
  defaultNamespace: string,
): ModelConfig | string | undefined => {
  const { value } = parsed;
  if (!hasKind(value, KIND, GROUP)) return undefined;
  const problem = validateShape(value);
  if (problem !== undefined) return formatShapeProblem(parsed, problem);
  const namespace = readNestedValue(value, 'metadata', 'namespace');
  return freezePlainData(
    applyNamespace(value, typeof namespace === 'string' ? namespace : defaultNamespace),
  );
};

/** Returns the models of a text. Other objects, such as Secrets, are ignored. */
const parseModels = (text: string, defaultNamespace: string): Documents => {
  const models: ModelConfig[] = [];
  for (const parsed of parseYamlDocuments(text)) {
    const model = parsed.ok ? parseModel(parsed, defaultNamespace) : formatYamlProblem(parsed);
    if (typeof model === 'string') return { ok: false, reason: model };
    if (model !== undefined) models.push(model);
  }
  return { ok: true, models };
};

/** Reads the models of a file; returns undefined when it is missing. */
const readModels = async (
  file: string,
  defaultNamespace: string,
): Promise<Documents | undefined> => {
  const read = await readTextFile(file, { acceptReplaced: true });
  switch (read.kind) {
    case 'absent':
      return undefined;
    case 'text':
      return parseModels(read.text, defaultNamespace);
    case 'unsettled':
      return { ok: false, reason: ' is being written by another process' };
    case 'refused':
    case 'failed':
      return { ok: false, reason: ` ${read.message}` };
  }
};

const compareByName = ({ metadata: a }: ModelConfig, { metadata: b }: ModelConfig): number =>
  a.name < b.name ? -1 : 1;

/** Groups models by namespace. The first of several models of one name wins, in the order of the files. */
const groupModels = (files: Iterable<ModelFile>): ReadonlyMap<string, readonly ModelConfig[]> => {
  const byNamespace = new Map<string, Map<string, ModelConfig>>();
  for (const model of [...files].flatMap(({ models }) => models ?? [])) {
    const { namespace, name } = model.metadata;
    const models = byNamespace.get(namespace) ?? new Map<string, ModelConfig>();
    if (!models.has(name)) models.set(name, model);
    byNamespace.set(namespace, models);
  }
  return new Map(
    [...byNamespace].map(([namespace, models]) => [
      namespace,
      [...models.values()].sort(compareByName),
    ]),
  );
};

/** The models that agents may use. Every request compares every file, because there are few. */
export class ModelFiles {
  readonly #parts: ModelFilesParts;
  readonly #directory: string;
  #files: ReadonlyMap<string, ModelFile> = new Map();

  constructor(parts: ModelFilesParts) {
    this.#parts = parts;
    this.#directory = path.join(parts.root, FOLDER);
  }

  /** Never rejects. */
  async list(): Promise<ListedModels> {
    const names = this.#names();
    if (names === undefined) return { ok: false, problem: `${FOLDER}/ cannot be read` };
    const before = this.#files;
    const files = new Map<string, ModelFile>();
    for (const name of names) {
      const file = await this.#file(name, before.get(name));
      if (file !== undefined) files.set(name, file);
    }
    this.#files = files;
    const unknown = [...files.values()].find(({ models }) => models === undefined);
    return unknown?.problem === undefined
      ? { ok: true, models: groupModels(files.values()) }
      : { ok: false, problem: unknown.problem };
  }

  #names(): readonly string[] | undefined {
    try {
      const names = readdirSync(this.#directory).filter(isYamlFile).sort();
      return names.slice(0, MAX_MODEL_FILES);
    } catch (error) {
      return readErrorCode(error) === 'ENOENT' ? [] : undefined;
    }
  }

  /** Follows links, because mounted configuration has them. */
  #fingerprint(name: string): string | undefined {
    try {
      const stats = statSync(path.join(this.#directory, name), { bigint: true });
      const isYoung = Date.now() - Number(stats.mtimeMs) < AMBIGUOUS_AGE_MS;
      return isYoung ? undefined : toFingerprint(stats);
    } catch {
      return undefined;
    }
  }

  async #file(name: string, known: ModelFile | undefined): Promise<ModelFile | undefined> {
    const { defaultNamespace, onWarning } = this.#parts;
    const fingerprint = this.#fingerprint(name);
    if (fingerprint !== undefined && known?.fingerprint === fingerprint) return known;
    const read = await readModels(path.join(this.#directory, name), defaultNamespace);
    if (read === undefined) return undefined;
    if (read.ok) return { fingerprint, models: read.models, problem: undefined };
    const problem = `${FOLDER}/${name}${read.reason}`;
    if (problem !== known?.problem) onWarning(problem);
    return { fingerprint, models: known?.models, problem };
  }
}
