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

const validateMapping = (value: unknown, path: DocumentPath): ShapeProblem | undefined =>
  value === undefined || value === null || isJsonObject(value)
    ? undefined
    : { path, reason: `${path.join('.')} must be a mapping` };

const validateTextMap = (metadata: Json, key: string): ShapeProblem | undefined => {
  const texts = readNestedValue(metadata, key);
  const path = ['metadata', key];
  if (!isJsonObject(texts)) return validateMapping(texts, path);
  const wrong = Object.keys(texts).find((name) => typeof texts[name] !== 'string');
  return wrong === undefined
    ? undefined
    : {
        path: [...path, wrong],
        reason: `${path.join('.')} ${JSON.stringify(wrong)} must be a text`,
      };
};

const validateTextField = (value: unknown, path: DocumentPath): ShapeProblem | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : { path, reason: `${path.join('.')} must be a text` };

/** Returns the first violation of the object shape: the name, a text map, or a field that must be a mapping. */
export const validateShape = (value: Json): ShapeProblem | undefined => {
  const metadata = readNestedValue(value, 'metadata');
  if (!isJsonObject(metadata)) return { path: ['metadata'], reason: 'metadata must be a mapping' };
  if (typeof readNestedValue(metadata, 'name') !== 'string') {
    return { path: ['metadata', 'name'], reason: 'metadata.name must be a text' };
  }
  return (
    validateTextField(readNestedValue(metadata, 'namespace'), ['metadata', 'namespace']) ??
    validateTextField(readNestedValue(metadata, 'deletionTimestamp'), [
      'metadata',
      'deletionTimestamp',
    ]) ??
    validateTextMap(metadata, 'labels') ??
    validateTextMap(metadata, 'annotations') ??
    validateMapping(readNestedValue(value, 'spec'), ['spec']) ??
    validateMapping(readNestedValue(value, 'status'), ['status'])
  );
};

/** The expected object of a file. */
interface ExpectedManifest {
  readonly kind: Pick<ManifestKind, 'kind' | 'group'>;
  readonly name: string;
  readonly namespace: string;
}

/** The parsed object, or the problem with its position, to append to the file name. */
type ManifestOutcome =
  | {
      readonly ok: true;
      readonly object: KubernetesObject;
      /** The manifest has no namespace; the object has the namespace of the folder. */
      readonly isWithoutNamespace: boolean;
    }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The manifest has another kind. */
      readonly isOther: boolean;
    };

type ParsedManifest = Extract<ParsedYaml, { ok: true }>;

/** Formats a problem as `:line:column: reason`. */
export const formatShapeProblem = (
  { locate }: ParsedManifest,
  { path, reason }: ShapeProblem,
): string => {
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
export const hasKind = (value: unknown, kind: string, group: string): value is Json =>
  readNestedValue(value, 'kind') === kind &&
  String(readNestedValue(value, 'apiVersion')).startsWith(`${group}/`);

const createKindProblem = (
  value: Json,
  { kind, group }: ExpectedManifest['kind'],
): ShapeProblem => {
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

const validateLocation = (
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
export const readManifest = (text: string, expected: ExpectedManifest): ManifestOutcome => {
  const parsed = parseYaml(text);
  if (!parsed.ok) return { ok: false, problem: formatYamlProblem(parsed), isOther: false };
  const { value } = parsed;
  const { kind } = expected;
  if (!isJsonObject(value)) {
    return { ok: false, problem: `: does not hold a ${kind.kind}`, isOther: false };
  }
  const isExpectedKind = hasKind(value, kind.kind, kind.group);
  const problem = isExpectedKind
    ? (validateShape(value) ?? validateLocation(value, expected))
    : createKindProblem(value, kind);
  if (problem !== undefined) {
    const isOther = !isExpectedKind && typeof readNestedValue(value, 'kind') === 'string';
    return { ok: false, problem: formatShapeProblem(parsed, problem), isOther };
  }
  const isWithoutNamespace = (readNestedValue(value, 'metadata', 'namespace') ?? null) === null;
  const object = isWithoutNamespace
    ? applyNamespace(value, expected.namespace)
    : (value as unknown as KubernetesObject);
  return { ok: true, object, isWithoutNamespace };
};
