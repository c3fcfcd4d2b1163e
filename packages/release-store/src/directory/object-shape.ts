import type { Json } from '@gateway/agent-releases';
import type { DocumentPath } from '@gateway/durable-files';

/** What keeps a document from being an object of Kubernetes, and where. */
export interface ShapeProblem {
  readonly path: DocumentPath;
  readonly reason: string;
}

/** Whether a value of plain data is a mapping. */
export const isMapping = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that is the mapping's own; no name finds more. */
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

/** Whether a document can be read as an object: its name, its labels, and mappings where mappings belong. */
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
