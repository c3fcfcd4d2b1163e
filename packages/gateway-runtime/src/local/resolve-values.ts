import type { McpServer } from '@gateway/crd-schemas';
import type { ReferencedTexts } from '@gateway/resource-store';
import {
  resolvePlaceholders,
  type PlaceholderResolution,
  type PlaceholderSources,
} from './resolve-placeholders.ts';
import { resolveReferences } from './resolve-references.ts';

/** Where the values of references and placeholders are. */
export interface ValueSources {
  readonly texts: Pick<ReferencedTexts, 'read'>;
  /** Absent in a cluster. */
  readonly placeholders?: PlaceholderSources;
}

/** Returns the values of the references and placeholders of a server. A reference and a placeholder never have one name. */
export const resolveValues = (
  server: McpServer,
  { texts, placeholders }: ValueSources,
): PlaceholderResolution => {
  const references = resolveReferences(server, texts.read);
  if (references.kind !== 'resolved' || placeholders === undefined)
    return references.kind === 'resolved'
      ? { kind: 'resolved', values: { values: references.values } }
      : references;
  const found = resolvePlaceholders(server, placeholders);
  return found.kind === 'resolved'
    ? {
        kind: 'resolved',
        values: Object.freeze({
          ...found.values,
          values: Object.freeze(
            Object.assign(Object.create(null), references.values, found.values.values),
          ) as Readonly<Record<string, string>>,
        }),
      }
    : found;
};
