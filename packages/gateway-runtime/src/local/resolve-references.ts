import {
  referencedKeyOf,
  referencedValueProblem,
  type McpServer,
  type ValueReference,
} from '@gateway/crd-schemas';
import type { ReferencedKey, ReferencedTexts } from '@gateway/resource-store';

/** The values of the references of a server: `pending` until each was read once. */
export type Resolution =
  | { readonly kind: 'resolved'; readonly values: Readonly<Record<string, string>> }
  /** One line without values. */
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'pending' };

const FIELDS = { variable: 'envFrom', header: 'headersFrom' } as const;

const useOf = ({ spec }: McpServer): keyof typeof FIELDS =>
  spec.type === 'stdio' ? 'variable' : 'header';

/** Returns the variables or headers of a server whose values are in Secrets and ConfigMaps. */
export const referencesOf = ({ spec }: McpServer): readonly ValueReference[] =>
  (spec.type === 'stdio' ? spec.envFrom : spec.headersFrom) ?? [];

/** Returns the key of a reference. It is in the namespace of the server, so that a definition reaches no other one. */
export const keyOf = (
  { metadata: { namespace } }: McpServer,
  reference: ValueReference,
): ReferencedKey => {
  const { kind, name, key } = referencedKeyOf(reference);
  return { kind, namespace, name, key };
};

/** Reads the references of a server. */
export const resolveReferences = (server: McpServer, read: ReferencedTexts['read']): Resolution => {
  const use = useOf(server);
  const values = Object.create(null) as Record<string, string>;
  for (const [index, reference] of referencesOf(server).entries()) {
    const place = `spec.${FIELDS[use]}[${String(index)}]`;
    const { kind, name, key, optional } = referencedKeyOf(reference);
    const found = read(keyOf(server, reference));
    if (!found.ok && found.code === 'pending') return { kind: 'pending' };
    if (!found.ok && found.code === 'absent' && optional) continue;
    if (!found.ok) return { kind: 'missing', problem: `${place}: ${found.reason}` };
    const problem = referencedValueProblem(use, found.text);
    if (problem !== undefined) {
      const thing = `the key ${JSON.stringify(key)} of ${kind} ${name}`;
      return { kind: 'missing', problem: `${place}: ${thing} ${problem}` };
    }
    values[reference.name] = found.text;
  }
  return { kind: 'resolved', values: Object.freeze(values) };
};
