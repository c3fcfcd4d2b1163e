import { isJsonObject } from '@gateway/call-contract';
import { type DocumentPath, type ParsedYaml, parseYaml } from '@gateway/files';
import { readNestedValue } from '../values/lenient.ts';
import type { Json, KubernetesObject } from '../store/agent-store.ts';
import type { ManifestKind } from './layout.ts';

/** Freezes plain data recursively, because callers share the objects. */
export const freezePlainData = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freezePlainData(part);
  return value;
};

/** The reason why a document is not a Kubernetes object, with its path. */
interface ShapeProblem {
  readonly path: DocumentPath;
  readonly reason: string;
}

const mappingProblem = (value: unknown, path: DocumentPath): ShapeProblem | undefined =>
  value === undefined || value === null || isJsonObject(value)
    ? undefined
    : { path, reason: `${path.join('.')} must be a mapping` };

const textsProblem = (metadata: Json, key: string): ShapeProblem | undefined => {
  const texts = readNestedValue(metadata, key);
  const path = ['metadata', key];
  if (!isJsonObject(texts)) return mappingProblem(texts, path);
  const wrong = Object.keys(texts).find((name) => typeof texts[name] !== 'string');
  return wrong === undefined
    ? undefined
    : {
        path: [...path, wrong],
        reason: `${path.join('.')} ${JSON.stringify(wrong)} must be a text`,
      };
};

const textProblem = (value: unknown, path: DocumentPath): ShapeProblem | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : { path, reason: `${path.join('.')} must be a text` };

/** Returns the first reason why a document is not an object: its name, its labels, or a field that must be a mapping. */
export const validateShape = (value: Json): ShapeProblem | undefined => {
  const metadata = readNestedValue(value, 'metadata');
  if (!isJsonObject(metadata)) return { path: ['metadata'], reason: 'metadata must be a mapping' };
  if (typeof readNestedValue(metadata, 'name') !== 'string') {
    return { path: ['metadata', 'name'], reason: 'metadata.name must be a text' };
  }
  return (
    textProblem(readNestedValue(metadata, 'namespace'), ['metadata', 'namespace']) ??
    textProblem(readNestedValue(metadata, 'deletionTimestamp'), [
      'metadata',
      'deletionTimestamp',
    ]) ??
    textsProblem(metadata, 'labels') ??
    textsProblem(metadata, 'annotations') ??
    mappingProblem(readNestedValue(value, 'spec'), ['spec']) ??
    mappingProblem(readNestedValue(value, 'status'), ['status'])
  );
};

/** The expected object of a file. */
interface ExpectedManifest {
  readonly kind: Pick<ManifestKind, 'kind' | 'group'>;
  readonly name: string;
  readonly namespace: string;
}

/** The object of a text, or the problem with its position, as the text after the file name. */
type ReadManifest =
  | {
      readonly ok: true;
      readonly object: KubernetesObject;
      /** The namespace comes from the folder. */
      readonly isWithoutNamespace: boolean;
    }
  | {
      readonly ok: false;
      readonly problem: string;
      /** It is an object of another kind. */
      readonly isOther: boolean;
    };

type Located = Extract<ParsedYaml, { ok: true }>;

/** Returns a problem with its position. */
export const formatShapeProblem = ({ locate }: Located, { path, reason }: ShapeProblem): string => {
  const { line, column } = locate(path);
  return `:${String(line)}:${String(column)}: ${reason}`;
};

/** Returns the first problem of invalid YAML, with its position. */
export const formatYamlProblem = ({ problems }: Extract<ParsedYaml, { ok: false }>): string => {
  const [first] = problems;
  const { line, column, message } = first ?? { line: 1, column: 1, message: 'cannot be read' };
  return `:${String(line)}:${String(column)}: ${message}`;
};

/** Returns whether a document is of this kind, in any version. */
export const isOfKind = (value: unknown, kind: string, group: string): value is Json =>
  readNestedValue(value, 'kind') === kind &&
  String(readNestedValue(value, 'apiVersion')).startsWith(`${group}/`);

const kindProblem = (value: Json, { kind, group }: ExpectedManifest['kind']): ShapeProblem => {
  const found = [readNestedValue(value, 'kind'), readNestedValue(value, 'apiVersion')].map((text) =>
    JSON.stringify(text),
  );
  const [foundKind = 'nothing', foundVersion = 'nothing'] = found;
  return readNestedValue(value, 'kind') === kind
    ? {
        path: ['apiVersion'],
        reason: `apiVersion must be one of ${group}, not ${foundVersion}`,
      }
    : { path: ['kind'], reason: `kind must be ${kind}, not ${foundKind}` };
};

const placeProblem = (
  value: Json,
  { name, namespace }: ExpectedManifest,
): ShapeProblem | undefined => {
  const metadata = readNestedValue(value, 'metadata');
  const found = {
    name: readNestedValue(metadata, 'name'),
    namespace: readNestedValue(metadata, 'namespace') ?? namespace,
  };
  if (found.name !== name) {
    const reason = `metadata.name is ${JSON.stringify(found.name)}, and the file is named after ${JSON.stringify(name)}`;
    return { path: ['metadata', 'name'], reason };
  }
  if (found.namespace !== namespace) {
    const reason = `metadata.namespace is ${JSON.stringify(found.namespace)}, and the folder is that of ${JSON.stringify(namespace)}`;
    return { path: ['metadata', 'namespace'], reason };
  }
  return undefined;
};

/** Returns the object with the given namespace. */
export const applyNamespace = (value: Json, namespace: string): KubernetesObject => {
  const { name, ...metadata } = readNestedValue(value, 'metadata') as Json & {
    readonly name: string;
  };
  return { ...value, metadata: { name, ...metadata, namespace } };
};

/** Parses a manifest: one document with the expected kind, name and namespace. Never throws. */
export const readManifest = (text: string, expected: ExpectedManifest): ReadManifest => {
  const parsed = parseYaml(text);
  if (!parsed.ok) return { ok: false, problem: formatYamlProblem(parsed), isOther: false };
  const { value } = parsed;
  const { kind } = expected;
  if (!isJsonObject(value)) {
    return { ok: false, problem: `: does not hold a ${kind.kind}`, isOther: false };
  }
  const isOurs = isOfKind(value, kind.kind, kind.group);
  const problem = isOurs
    ? (validateShape(value) ?? placeProblem(value, expected))
    : kindProblem(value, kind);
  if (problem !== undefined) {
    const isOther = !isOurs && typeof readNestedValue(value, 'kind') === 'string';
    return { ok: false, problem: formatShapeProblem(parsed, problem), isOther };
  }
  const isWithoutNamespace = (readNestedValue(value, 'metadata', 'namespace') ?? null) === null;
  const object = isWithoutNamespace
    ? applyNamespace(value, expected.namespace)
    : (value as unknown as KubernetesObject);
  return { ok: true, object, isWithoutNamespace };
};
