import { isResolvedWithin } from '@gateway/call-contract';
import process from 'node:process';
import {
  type ArgumentText,
  type McpServer,
  type McpServerSpec,
  type Placeholder,
  type PlaceholderText,
  type ReferenceValues,
  type ValueReference,
  type ValueUse,
  formatReference,
  hasPlaceholders,
  listPlaceholderTexts,
  listPlaceholderWarnings,
  listPlaceholders,
  resolveKeyReference,
  findValueProblem,
  replacePlaceholders,
} from '@gateway/crd-schemas';
import type { ReferencedKey, ReferencedTexts } from '@gateway/resource-store';
import { createFollowedFiles } from '@gateway/downstream-auth';
import { isDeepStrictEqual } from 'node:util';
import type { Downstream } from '@gateway/downstream';
import type { Logger } from 'pino';

/** The sources of placeholder values. */
export interface PlaceholderSources {
  readonly files: ReturnType<typeof createFollowedFiles>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The resolved placeholder fields of a server; `pending` until each file was read once. */
type PlaceholderResolution =
  | { readonly kind: 'resolved'; readonly values: Omit<ReferenceValues, 'problem'> }
  /** One line without values. */
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'pending' };

/** Maximum number of placeholders per server. Each may be a file of 64 KiB. */
const MAX_PLACEHOLDERS = 64;

/** Returns the texts of a server that contain placeholders. */
const listTextsWithPlaceholders = ({ spec }: McpServer): readonly PlaceholderText[] =>
  listPlaceholderTexts(spec).filter(({ text }) => hasPlaceholders(text));

/** Returns the paths of the files that a server names. */
const listFiles = (server: McpServer): readonly string[] =>
  listTextsWithPlaceholders(server)
    .flatMap(({ text }) => listPlaceholders(text))
    .slice(0, MAX_PLACEHOLDERS)
    .flatMap(({ kind, name }) => (kind === 'file' ? [name] : []));

type PlaceholderValue =
  | { readonly kind: 'value'; readonly text: string }
  | Exclude<PlaceholderResolution, { kind: 'resolved' }>;

const readPlaceholderValue = (
  { kind, name }: Placeholder,
  field: string,
  { files, environment }: PlaceholderSources,
): PlaceholderValue => {
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

const toValueUse = (field: string): ValueUse => {
  if (field === 'spec.url') return 'url';
  if (field.startsWith('spec.args')) return 'argument';
  return field.startsWith('spec.headers') ? 'header' : 'variable';
};

const resolveText = (
  { field, text }: PlaceholderText,
  sources: PlaceholderSources,
): ResolvedText | Exclude<PlaceholderResolution, { kind: 'resolved' }> => {
  const parts: string[] = [];
  for (const placeholder of listPlaceholders(text)) {
    const value = readPlaceholderValue(placeholder, field, sources);
    if (value.kind !== 'value') return value;
    parts.push(value.text);
  }
  let at = 0;
  const replaced = replacePlaceholders(text, () => parts[at++] ?? '');
  const problem = findValueProblem(toValueUse(field), replaced);
  return problem === undefined
    ? { text: replaced, parts }
    : { kind: 'missing', problem: `${field}: with the values of its placeholders, it ${problem}` };
};

/** Returns the values with their URL-encoded forms, which messages may contain. */
const listSpellings = (parts: readonly string[]): readonly string[] =>
  parts.flatMap((part) => [...new Set([part, encodeURI(part), encodeURIComponent(part)])]);

const NO_URL = { host: '', hostname: '', pathname: '', search: '' };

/** Returns the secret parts of a URL, also as the URL parser normalizes them. Excludes parts that are visible in the definition. */
const listUrlParts = (template: string, { text, parts }: ResolvedText): readonly string[] => {
  const { host, hostname, pathname, search } = URL.canParse(text) ? new URL(text) : NO_URL;
  const parsed = [host, hostname, pathname, search].filter(
    (part) => !template.toLowerCase().includes(part.toLowerCase()),
  );
  return [
    ...new Set([...listSpellings(parts), ...parts.map((part) => part.toLowerCase()), ...parsed]),
  ];
};

const nameIn = (field: string): string => field.replace(/^spec\.(?:env|headers)\./u, '');

const toReferenceValues = (
  spec: McpServerSpec,
  texts: ReadonlyMap<string, ResolvedText>,
): Omit<ReferenceValues, 'problem'> => {
  const values = Object.create(null) as Record<string, string>;
  for (const [field, { text }] of texts)
    if (['variable', 'header'].includes(toValueUse(field))) values[nameIn(field)] = text;
  const url = texts.get('spec.url')?.text;
  const indexed = spec.type === 'stdio' ? spec.args : [];
  const args = indexed.map((arg, at) => texts.get(`spec.args[${String(at)}]`)?.text ?? arg);
  const parts = [...texts].flatMap(([field, found]) => {
    const use = toValueUse(field);
    if (use === 'url') return listUrlParts(spec.type === 'stdio' ? '' : spec.url, found);
    return use === 'argument' ? listSpellings(found.parts) : [];
  });
  return {
    values,
    ...(args.some((arg, at) => arg !== indexed[at]) && { args }),
    ...(url !== undefined && { url }),
    ...(parts.length > 0 && { parts }),
  };
};

const findLimitProblem = (
  spec: McpServerSpec,
  texts: readonly PlaceholderText[],
): string | undefined => {
  const count = texts.reduce((sum, { text }) => sum + listPlaceholders(text).length, 0);
  if (count > MAX_PLACEHOLDERS)
    return `the definition has ${String(count)} placeholders, more than the ${String(MAX_PLACEHOLDERS)} allowed`;
  const hasUrl = texts.some(({ field }) => field === 'spec.url');
  return hasUrl && spec.type !== 'stdio' && spec.auth.type !== 'none'
    ? 'spec.url: placeholders are not possible with spec.auth, because the URL decides where tokens of users are sent'
    : undefined;
};

/** Returns the values of the placeholders of a server. */
const resolvePlaceholders = (
  server: McpServer,
  sources: PlaceholderSources,
): PlaceholderResolution => {
  const { spec } = server;
  const texts = listTextsWithPlaceholders(server);
  const problem = findLimitProblem(spec, texts);
  if (problem !== undefined) return { kind: 'missing', problem };
  const resolved = new Map<string, ResolvedText>();
  for (const each of texts) {
    const found = resolveText(each, sources);
    if ('kind' in found) return found;
    resolved.set(each.field, found);
  }
  return { kind: 'resolved', values: toReferenceValues(spec, resolved) };
};

/** The resolved references of a server; `pending` until each was read once. */
type ReferenceResolution =
  | { readonly kind: 'resolved'; readonly values: Readonly<Record<string, string>> }
  /** One line without values. */
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'pending' };

const FIELDS = { variable: 'envFrom', header: 'headersFrom' } as const;

/** Returns the arguments of tools whose values are in Secrets and ConfigMaps. */
const listArgumentReferences = ({ spec }: McpServer): readonly ValueReference[] =>
  (spec.tools ?? []).flatMap(({ defaultsFrom }) => defaultsFrom ?? []);

/** Returns the variables or headers of a server whose values are in Secrets and ConfigMaps. */
const listReferences = ({ spec }: McpServer): readonly ValueReference[] =>
  (spec.type === 'stdio' ? spec.envFrom : spec.headersFrom) ?? [];

/** Returns the key of a reference, always in the namespace of the server, so that a definition cannot read another namespace. */
const formatKey = (
  { metadata: { namespace } }: McpServer,
  reference: ValueReference,
): ReferencedKey => {
  const { kind, name, key } = resolveKeyReference(reference);
  return { kind, namespace, name, key };
};

type ToolArguments = NonNullable<ReferenceValues['toolArguments']>;

const readArgument = (
  server: McpServer,
  reference: ValueReference,
  read: ReferencedTexts['read'],
): ArgumentText | 'pending' => {
  const found = read(formatKey(server, reference));
  if (!found.ok) {
    const { code, reason } = found;
    return code === 'pending' ? code : { ok: false, code, reason };
  }
  const problem = findValueProblem('argument', found.text);
  if (problem === undefined) return found;
  return { ok: false, code: 'unreadable', reason: `${formatReference(reference)} ${problem}` };
};

/** Returns the values for arguments of tools; `pending` until each was read once. A value that is missing now keeps its last text. */
const resolveToolArguments = (
  server: McpServer,
  read: ReferencedTexts['read'],
  last: ToolArguments = {},
): ToolArguments | 'pending' => {
  const texts = Object.create(null) as Record<string, ArgumentText>;
  for (const reference of listArgumentReferences(server)) {
    const now = readArgument(server, reference, read);
    if (now === 'pending') return now;
    const id = formatReference(reference);
    const before = last[id];
    texts[id] = !now.ok && before?.ok === true ? before : now;
  }
  return Object.freeze(texts);
};

/** Reads the references of a server. */
const resolveReferences = (
  server: McpServer,
  read: ReferencedTexts['read'],
): ReferenceResolution => {
  const use = server.spec.type === 'stdio' ? 'variable' : 'header';
  const values = Object.create(null) as Record<string, string>;
  for (const [index, reference] of listReferences(server).entries()) {
    const place = `spec.${FIELDS[use]}[${String(index)}]`;
    const { kind, name, key, optional } = resolveKeyReference(reference);
    const found = read(formatKey(server, reference));
    if (!found.ok && found.code === 'pending') return { kind: 'pending' };
    if (!found.ok && found.code === 'absent' && optional) continue;
    if (!found.ok) return { kind: 'missing', problem: `${place}: ${found.reason}` };
    const problem = findValueProblem(use, found.text);
    if (problem !== undefined) {
      const thing = `the key ${JSON.stringify(key)} of ${kind} ${name}`;
      return { kind: 'missing', problem: `${place}: ${thing} ${problem}` };
    }
    values[reference.name] = found.text;
  }
  return { kind: 'resolved', values: Object.freeze(values) };
};

/** The sources of reference and placeholder values. */
interface ValueSources {
  readonly texts: Pick<ReferencedTexts, 'read'>;
  /** Absent in a cluster. */
  readonly placeholders?: PlaceholderSources;
}

/** Returns the values of the references and placeholders of a server. Their names never overlap. */
const resolveValues = (
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

/** Maximum number of remembered warnings. */
const MAX_WARNINGS = 1_024;

/** Reports each text that looks like a placeholder but is not, once. */
class PlaceholderWarnings {
  readonly #reported = new Set<string>();

  /** Returns a warning for each new text of a server. */
  listNew({ metadata: { name: server }, spec }: McpServer): readonly string[] {
    return listPlaceholderWarnings(spec).filter((warning) => {
      const id = JSON.stringify([server, warning]);
      if (this.#reported.has(id) || this.#reported.size >= MAX_WARNINGS) return false;
      this.#reported.add(id);
      return true;
    });
  }
}

interface ReferencedServersOptions {
  readonly texts: ReferencedTexts;
  /** The sources of placeholder values in file mode; absent in a cluster, where placeholders are not replaced. */
  readonly placeholders?: PlaceholderSources;
  readonly apply: (servers: readonly McpServer[]) => void;
  readonly logger: Logger;
}

/** The last known values of a server, valid while its definition has the same references. */
interface Known {
  readonly references: string;
  readonly values: Omit<ReferenceValues, 'problem'>;
}

const formatId = ({ metadata: { namespace, name } }: McpServer): string => `${namespace}/${name}`;

/**
 * Adds the values of Secrets, ConfigMaps and placeholders to servers, and updates them after each change. A server is applied after its values
 * were read once. When a value disappears, the last known value is used: a deleted object must not close a connection.
 */
export class ReferencedServers {
  readonly #options: ReferencedServersOptions;
  readonly #stop: readonly (() => void)[];
  readonly #placeholderWarnings = new PlaceholderWarnings();
  readonly #known = new Map<string, Known>();
  #desired: readonly McpServer[] = [];
  #applied: readonly McpServer[] | undefined;
  #hasReferences = false;
  #isClosed = false;
  #read: Promise<void> = Promise.resolve();

  constructor(options: ReferencedServersOptions) {
    this.#options = options;
    const onChange = (): void => {
      if (this.#hasReferences) this.#update();
    };
    this.#stop = [
      options.texts.subscribe(onChange),
      ...(options.placeholders === undefined
        ? []
        : [options.placeholders.files.subscribe(onChange)]),
    ];
  }

  /** Applies the desired servers. */
  readonly apply = (servers: readonly McpServer[]): void => {
    this.#desired = servers;
    const keys = servers.flatMap((server) =>
      [...listReferences(server), ...listArgumentReferences(server)].map((reference) =>
        formatKey(server, reference),
      ),
    );
    const { texts, placeholders } = this.#options;
    const files = placeholders === undefined ? [] : servers.flatMap(listFiles);
    if (keys.length + files.length > 0 || this.#hasReferences) {
      this.#hasReferences = keys.length + files.length > 0;
      this.#read = Promise.all([texts.follow(keys), placeholders?.files.follow(files)]).then(() => {
        this.#update();
      });
    }
    if (placeholders !== undefined) this.#warn(servers);
    this.#update();
  };

  /** Resolves after all values were read or have failed. */
  readonly settled = (): Promise<void> => this.#read;

  /** Stops updates; applies no servers afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stop) stop();
    this.#options.texts.close();
    this.#options.placeholders?.files.close();
  }

  #warn(servers: readonly McpServer[]): void {
    for (const server of servers)
      for (const warning of this.#placeholderWarnings.listNew(server))
        this.#options.logger.warn({ server: server.metadata.name }, warning);
  }

  #hasValues(server: McpServer): boolean {
    const { placeholders } = this.#options;
    return (
      listReferences(server).length > 0 ||
      listArgumentReferences(server).length > 0 ||
      (placeholders !== undefined && listTextsWithPlaceholders(server).length > 0)
    );
  }

  #update(): void {
    if (this.#isClosed) return;
    const before = new Map(this.#applied?.map((server) => [formatId(server), server]));
    const servers = this.#desired.flatMap((server) => this.#resolve(server, before) ?? []);
    const ids = new Set(this.#desired.map(formatId));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    const isSame =
      this.#applied?.length === servers.length &&
      servers.every((server, index) => server === this.#applied?.[index]);
    if (isSame) return;
    this.#applied = servers;
    this.#options.apply(servers);
  }

  /** Returns the server with its values, or the previous object while nothing changed or values are pending. */
  #resolve(server: McpServer, before: ReadonlyMap<string, McpServer>): McpServer | undefined {
    if (!this.#hasValues(server)) return server;
    const previous = before.get(formatId(server));
    const values = this.#readValues(server);
    const last = previous?.referenced?.toolArguments;
    const toolArguments = resolveToolArguments(server, this.#options.texts.read, last);
    if (values === undefined || toolArguments === 'pending') return previous;
    this.#warnOfMissing(server, toolArguments, last);
    const isSet = Object.keys(toolArguments).length > 0;
    const referenced = { ...values, ...(isSet && { toolArguments }) };
    const { problem } = values;
    if (problem !== undefined && problem !== previous?.referenced?.problem)
      this.#options.logger.warn({ server: server.metadata.name }, problem);
    const next = { ...server, referenced };
    return isDeepStrictEqual(next, previous) ? previous : Object.freeze(next);
  }

  #warnOfMissing(server: McpServer, now: ToolArguments, last: ToolArguments = {}): void {
    for (const [id, found] of Object.entries(now))
      if (!found.ok && !isDeepStrictEqual(last[id], found))
        this.#options.logger.warn({ server: server.metadata.name }, `spec.tools: ${found.reason}`);
  }

  /** Returns undefined while the values are pending. */
  #readValues(server: McpServer): ReferenceValues | undefined {
    const id = formatId(server);
    const references = JSON.stringify([listReferences(server), listTextsWithPlaceholders(server)]);
    const resolution = resolveValues(server, this.#options);
    switch (resolution.kind) {
      case 'pending':
        return undefined;
      case 'resolved':
        this.#known.set(id, { references, values: resolution.values });
        return resolution.values;
      case 'missing': {
        const known = this.#known.get(id);
        return {
          ...(known?.references === references && known.values),
          problem: resolution.problem,
        };
      }
    }
  }
}

/** Maximum wait for values at the start of a gateway, in milliseconds. */
const MAX_WAIT_MS = 5_000;

interface ReferenceOptions extends Pick<ReferencedServersOptions, 'texts' | 'logger'> {
  /** The configuration directory of definitions in files; absent in a cluster. */
  readonly directory?: string | undefined;
}

/** Returns a `Downstream` that resolves references of servers, and in file mode also placeholders. */
export const withReferences = (
  downstream: Downstream,
  { directory, ...options }: ReferenceOptions,
): Downstream => {
  const servers = new ReferencedServers({
    ...options,
    ...(directory !== undefined && {
      placeholders: { files: createFollowedFiles({ directory }), environment: process.env },
    }),
    apply: (resolved) => {
      downstream.apply(resolved);
    },
  });
  return {
    ...downstream,
    apply: servers.apply,
    settled: async () => {
      await isResolvedWithin(servers.settled(), MAX_WAIT_MS);
      await downstream.settled();
    },
    close: async () => {
      servers.close();
      await downstream.close();
    },
  };
};
