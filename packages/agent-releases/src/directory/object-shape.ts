import type { Json } from '../store/objects.ts';
import type { DocumentPath } from '@gateway/files';

/** The reason why a document is not a Kubernetes object, with its path. */
export interface ShapeProblem {
  readonly path: DocumentPath;
  readonly reason: string;
}

/** Returns whether a value of plain data is a mapping. */
export const isMapping = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an own property of a mapping, never an inherited one. */
export const own = (value: unknown, key: string): unknown =>
  isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const mappingProblem = (value: unknown, path: DocumentPath): ShapeProblem | undefined =>
  value === undefined || value === null || isMapping(value)
    ? undefined
    : { path, reason: `${path.join('.')} must be a mapping` };

const textsProblem = (metadata: Json, key: string): ShapeProblem | undefined => {
  const texts = own(metadata, key);
  const path = ['metadata', key];
  if (!isMapping(texts)) return mappingProblem(texts, path);
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
export const shapeProblem = (value: Json): ShapeProblem | undefined => {
  const metadata = own(value, 'metadata');
  if (!isMapping(metadata)) return { path: ['metadata'], reason: 'metadata must be a mapping' };
  if (typeof own(metadata, 'name') !== 'string') {
    return { path: ['metadata', 'name'], reason: 'metadata.name must be a text' };
  }
  return (
    textProblem(own(metadata, 'namespace'), ['metadata', 'namespace']) ??
    textProblem(own(metadata, 'deletionTimestamp'), ['metadata', 'deletionTimestamp']) ??
    textsProblem(metadata, 'labels') ??
    textsProblem(metadata, 'annotations') ??
    mappingProblem(own(value, 'spec'), ['spec']) ??
    mappingProblem(own(value, 'status'), ['status'])
  );
};
