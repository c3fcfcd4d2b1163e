import {
  hasPlaceholders,
  type McpServer,
  type McpServerSpec,
  type Placeholder,
  placeholdersIn,
  type PlaceholderText,
  placeholderTextsOf,
  referencedKeyOf,
  referencedValueProblem,
  type ReferencedValues,
  replacePlaceholders,
  type ValueReference,
  type ValueUse,
} from '@gateway/crd-schemas';
import type { ReferencedKey, ReferencedTexts } from '@gateway/resource-store';
import type { createFollowedFiles } from '@gateway/downstream-auth';

/** Where the values of placeholders are. */
export interface PlaceholderSources {
  readonly files: ReturnType<typeof createFollowedFiles>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The fields of a server that have placeholders, with their values; `pending` until each file was read once. */
type PlaceholderResolution =
  | { readonly kind: 'resolved'; readonly values: Omit<ReferencedValues, 'problem'> }
  /** One line without values. */
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'pending' };

/** The most placeholders of one server. Each may be a file of 64 KiB. */
const MAX_PLACEHOLDERS = 64;

/** Returns the texts of a server in which something is replaced. */
export const textsWithPlaceholders = ({ spec }: McpServer): readonly PlaceholderText[] =>
  placeholderTextsOf(spec).filter(({ text }) => hasPlaceholders(text));

/** Returns the paths of the files that a server names. */
export const filesOf = (server: McpServer): readonly string[] =>
  textsWithPlaceholders(server)
    .flatMap(({ text }) => placeholdersIn(text))
    .slice(0, MAX_PLACEHOLDERS)
    .flatMap(({ kind, name }) => (kind === 'file' ? [name] : []));

type Value =
  | { readonly kind: 'value'; readonly text: string }
  | Exclude<PlaceholderResolution, { kind: 'resolved' }>;

const valueOf = (
  { kind, name }: Placeholder,
  field: string,
  { files, environment }: PlaceholderSources,
): Value => {
  if (kind === 'env') {
    const text = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return text === undefined
      ? { kind: 'missing', problem: `${field}: the environment variable ${name} is not set` }
      : { kind: 'value', text };
  }
  const found = files.read(name);
  if (found.ok) return { kind: 'value', text: found.text };
  return found.code === 'pending'
    ? { kind: 'pending' }
    : { kind: 'missing', problem: `${field}: ${found.reason}` };
};

interface ResolvedText {
  readonly text: string;
  /** The values in it. */
  readonly parts: readonly string[];
}

const useOf = (field: string): ValueUse => {
  if (field === 'spec.url') return 'url';
  if (field.startsWith('spec.args')) return 'argument';
  return field.startsWith('spec.headers') ? 'header' : 'variable';
};

const resolvedText = (
  { field, text }: PlaceholderText,
  sources: PlaceholderSources,
): ResolvedText | Exclude<PlaceholderResolution, { kind: 'resolved' }> => {
  const parts: string[] = [];
  for (const placeholder of placeholdersIn(text)) {
    const value = valueOf(placeholder, field, sources);
    if (value.kind !== 'value') return value;
    parts.push(value.text);
  }
  let at = 0;
  const replaced = replacePlaceholders(text, () => parts[at++] ?? '');
  const problem = referencedValueProblem(useOf(field), replaced);
  return problem === undefined
    ? { text: replaced, parts }
    : { kind: 'missing', problem: `${field}: with the values of its placeholders, it ${problem}` };
};

/** A URL in a message may contain a value in another spelling. */
const spellings = (parts: readonly string[]): readonly string[] =>
  parts.flatMap((part) => [...new Set([part, encodeURI(part), encodeURIComponent(part)])]);

const NO_URL = { host: '', hostname: '', pathname: '', search: '' };

/** The URL parser changes values: hosts become lower case, and characters are encoded. Parts that the definition shows stay. */
const partsOfUrl = (template: string, { text, parts }: ResolvedText): readonly string[] => {
  const { host, hostname, pathname, search } = URL.canParse(text) ? new URL(text) : NO_URL;
  const parsed = [host, hostname, pathname, search].filter(
    (part) => !template.toLowerCase().includes(part.toLowerCase()),
  );
  return [...new Set([...spellings(parts), ...parts.map((part) => part.toLowerCase()), ...parsed])];
};

const nameIn = (field: string): string => field.replace(/^spec\.(?:env|headers)\./u, '');

const valuesFrom = (
  spec: McpServerSpec,
  texts: ReadonlyMap<string, ResolvedText>,
): Omit<ReferencedValues, 'problem'> => {
  const values = Object.create(null) as Record<string, string>;
  for (const [field, { text }] of texts)
    if (['variable', 'header'].includes(useOf(field))) values[nameIn(field)] = text;
  const url = texts.get('spec.url')?.text;
  const indexed = spec.type === 'stdio' ? spec.args : [];
  const args = indexed.map((arg, at) => texts.get(`spec.args[${String(at)}]`)?.text ?? arg);
  const parts = [...texts].flatMap(([field, found]) => {
    const use = useOf(field);
    if (use === 'url') return partsOfUrl(spec.type === 'stdio' ? '' : spec.url, found);
    return use === 'argument' ? spellings(found.parts) : [];
  });
  return {
    values,
    ...(args.some((arg, at) => arg !== indexed[at]) && { args }),
    ...(url !== undefined && { url }),
    ...(parts.length > 0 && { parts }),
  };
};

const limitProblem = (
  spec: McpServerSpec,
  texts: readonly PlaceholderText[],
): string | undefined => {
  const count = texts.reduce((sum, { text }) => sum + placeholdersIn(text).length, 0);
  if (count > MAX_PLACEHOLDERS)
    return `the definition has ${String(count)} placeholders, more than the ${String(MAX_PLACEHOLDERS)} allowed`;
  const hasUrl = texts.some(({ field }) => field === 'spec.url');
  return hasUrl && spec.type !== 'stdio' && spec.auth.type !== 'none'
    ? 'spec.url: placeholders are not possible with spec.auth, because the URL decides where tokens of persons are sent'
    : undefined;
};

/** Returns the values of the placeholders of a server. */
const resolvePlaceholders = (
  server: McpServer,
  sources: PlaceholderSources,
): PlaceholderResolution => {
  const { spec } = server;
  const texts = textsWithPlaceholders(server);
  const problem = limitProblem(spec, texts);
  if (problem !== undefined) return { kind: 'missing', problem };
  const resolved = new Map<string, ResolvedText>();
  for (const each of texts) {
    const found = resolvedText(each, sources);
    if ('kind' in found) return found;
    resolved.set(each.field, found);
  }
  return { kind: 'resolved', values: valuesFrom(spec, resolved) };
};

/** The values of the references of a server: `pending` until each was read once. */
type Resolution =
  | { readonly kind: 'resolved'; readonly values: Readonly<Record<string, string>> }
  /** One line without values. */
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'pending' };

const FIELDS = { variable: 'envFrom', header: 'headersFrom' } as const;

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
const resolveReferences = (server: McpServer, read: ReferencedTexts['read']): Resolution => {
  const use = server.spec.type === 'stdio' ? 'variable' : 'header';
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

/** Where the values of references and placeholders are. */
interface ValueSources {
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
