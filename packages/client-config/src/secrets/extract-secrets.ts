import { findValueProblem, replacePlaceholders, SECRET_FIELDS } from '@gateway/crd-schemas';
import { type ConfigObject, isJsonObject, isTextList, readOwnField } from '../json.ts';
import {
  hasReference,
  isSecretLike,
  replaceArgumentSecrets,
  type ReplaceSecret,
  replaceUrlSecrets,
  SECRET_MASK,
  URL_PATH,
} from './secret-values.ts';

/** The Secret with the values of one server. */
export interface SecretPlace {
  readonly name: string;
  /** A folder of files, which placeholders can name too, or an object of a cluster. */
  readonly form: 'files' | 'object';
}

/** Returns the Secret that is made for a server. No two servers of a namespace have the same. */
export const createSecretPlace = (server: string, form: SecretPlace['form']): SecretPlace => ({
  form,
  name: form === 'files' ? server : `mcpserver-${server}`,
});

/** A value to store. */
export interface StoredSecret {
  /** The key in the Secret of the server. */
  readonly key: string;
  readonly value: string;
}

/** Returns the path of a value relative to the configuration directory, with `/`. */
export const formatSecretPath = (name: string, key: string): string => `secrets/${name}/${key}`;

const MAX_KEY_CHARS = 200;

/** Returns a text that can be a key of a Secret, as similar to a name as possible. */
export const toSecretKey = (name: string): string => {
  const key = name.replaceAll(/[^-._a-zA-Z0-9]+/gu, '_').slice(0, MAX_KEY_CHARS);
  return /^\.*$/u.test(key) ? `value${key}` : key;
};

/** Collects the values of one Secret under different keys. File systems can ignore the case of keys. */
export class SecretCollector {
  readonly #name: string;
  readonly #taken: ReadonlySet<string>;
  readonly #values = new Map<string, StoredSecret>();

  /** @param taken the keys of values that stay */
  constructor({ name }: Pick<SecretPlace, 'name'>, taken: readonly string[] = []) {
    this.#name = name;
    this.#taken = new Set(taken.map((key) => key.toLowerCase()));
  }

  /** Adds a value and returns the reference to it. Equal values of one name have one key. */
  add(name: string, value: string): { readonly name: string; readonly key: string } {
    const wanted = toSecretKey(name);
    let key = wanted;
    for (let count = 2; !this.#isFree(key, value); count += 1) key = `${wanted}-${String(count)}`;
    this.#values.set(key.toLowerCase(), { key, value });
    return { name: this.#name, key };
  }

  /** Adds a value and returns the placeholder that stands for it. */
  placeholder(name: string, value: string): string {
    return `\${file:${formatSecretPath(this.#name, this.add(name, value).key)}}`;
  }

  /** Sets the value of a key that is in use. */
  replace(key: string, value: string): void {
    this.#values.set(key.toLowerCase(), { key, value });
  }

  all(): readonly StoredSecret[] {
    return [...this.#values.values()];
  }

  #isFree(key: string, value: string): boolean {
    const found = this.#values.get(key.toLowerCase());
    return found === undefined
      ? !this.#taken.has(key.toLowerCase())
      : found.key === key && found.value === value;
  }
}

const toMap = (value: unknown): ConfigObject => (isJsonObject(value) ? value : {});

const toEntries = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the key of the Secret of a server that an entry of `envFrom` or `headersFrom` names. */
const findOwnKey = (entry: unknown, { name }: SecretPlace): string | undefined => {
  const reference = readOwnField(entry, 'secretKeyRef');
  const key = readOwnField(reference, 'key');
  return readOwnField(reference, 'name') === name && typeof key === 'string' ? key : undefined;
};

const OWN_PLACEHOLDER = /\$\{file:secrets\/([^/{}]+)\/([^/{}]+)\}/gu;

const REFERENCE_LISTS = SECRET_FIELDS.map((field): string => `${field}From`);

/** Returns the keys of the Secret of a server that an unparsed `spec` names. */
const listSecretKeys = (spec: ConfigObject, place: SecretPlace): readonly string[] => [
  ...[
    ...REFERENCE_LISTS.flatMap((field) => toEntries(spec[field])),
    ...toEntries(spec['tools']).flatMap((rule) => toEntries(readOwnField(rule, 'defaultsFrom'))),
  ].flatMap((entry) => findOwnKey(entry, place) ?? []),
  ...Array.from(JSON.stringify(spec).matchAll(OWN_PLACEHOLDER), ([, name, key = '']) =>
    name === place.name ? key : '',
  ),
];

/** Returns an unparsed `spec` without its references to the Secret of its server. */
export const withoutOwnReferences = (spec: ConfigObject, place: SecretPlace): ConfigObject => {
  const text = JSON.stringify(spec).replaceAll(OWN_PLACEHOLDER, (all, name) =>
    name === place.name ? '' : all,
  );
  const withoutOwn = (map: ConfigObject, lists: readonly string[]): ConfigObject =>
    Object.fromEntries(
      Object.entries(map).flatMap(([field, value]) => {
        if (!lists.includes(field)) return [[field, value] as const];
        const list = toEntries(value).filter((entry) => findOwnKey(entry, place) === undefined);
        return list.length > 0 ? [[field, list] as const] : [];
      }),
    );
  const { tools, ...others } = JSON.parse(text) as ConfigObject;
  return {
    ...withoutOwn(others, REFERENCE_LISTS),
    ...(tools !== undefined && {
      tools: toEntries(tools).map((rule) => withoutOwn(toMap(rule), ['defaultsFrom'])),
    }),
  };
};

/** A secret that a definition contains itself. */
export interface ClearSecret {
  /** From the root of the document. */
  readonly path: readonly (string | number)[];
  /** The path as users write it: `spec.args[0]`. */
  readonly field: string;
}

/** Returns the values in an unparsed `spec` that look like secrets and are written in clear text. */
export const listClearSecrets = (spec: unknown): readonly ClearSecret[] => {
  const mask = (): string => SECRET_MASK;
  const args = toEntries(readOwnField(spec, 'args')).map(String);
  const url = readOwnField(spec, 'url');
  const maps = [
    ...SECRET_FIELDS.map((field) => ({
      ...{ path: ['spec', field], field: `spec.${field}` },
      map: readOwnField(spec, field),
    })),
    ...toEntries(readOwnField(spec, 'tools')).map((rule, at) => ({
      ...{ path: ['spec', 'tools', at, 'defaults'], field: `spec.tools[${String(at)}].defaults` },
      map: readOwnField(rule, 'defaults'),
    })),
  ];
  return [
    ...maps.flatMap(({ path, field, map }) =>
      Object.entries(toMap(map))
        .filter(([name, text]) => isClearSecret(name, text))
        .map(([name]) => ({ path: [...path, name], field: `${field}.${name}` })),
    ),
    ...replaceArgumentSecrets(args, mask).flatMap((text, at) =>
      text === args[at] ? [] : [{ path: ['spec', 'args', at], field: `spec.args[${String(at)}]` }],
    ),
    ...(typeof url === 'string' && replaceUrlSecrets(url, mask) !== url
      ? [{ path: ['spec', 'url'], field: 'spec.url' }]
      : []),
  ];
};

/** Returns a sentence about a secret in clear text, without the value. */
export const formatClearSecret = ({ field }: ClearSecret): string =>
  `${field} looks like a secret and is written in clear text; name a file of secrets/ or a Secret instead`;

/** A value that looks like a secret and is written in the definition itself. */
const isClearSecret = (name: string, text: unknown): text is string =>
  typeof text === 'string' && !hasReference(text) && isSecretLike(name, text);

interface Extraction {
  readonly place: SecretPlace;
  /** The `spec` that is changed; empty for a new server. Secrets in it stay as they are. */
  readonly before: ConfigObject;
  /** A merge patch (RFC 7396) of `spec`. */
  readonly change: ConfigObject;
  /** Values of the Secret that the change refers to already. */
  readonly secrets?: readonly StoredSecret[] | undefined;
}

export type ExtractedSecrets =
  | {
      readonly ok: true;
      /** The patch with references in place of secrets. */
      readonly change: ConfigObject;
      /** The patch with secrets as they were given: it refers only to values that are stored before the change. */
      readonly given: ConfigObject;
      readonly secrets: readonly StoredSecret[];
    }
  /** One line for each problem, without values. */
  | { readonly ok: false; readonly issues: readonly string[] };

/** The results that an extraction collects. */
interface Findings {
  readonly issues: string[];
  readonly collector: SecretCollector;
}

type Patches = Pick<Extract<ExtractedSecrets, { ok: true }>, 'change' | 'given'>;

/** Returns the patches of `env` and `envFrom`, or of headers. A masked value stays as it is stored; another one replaces its reference. */
const extractValues = (
  field: (typeof SECRET_FIELDS)[number],
  { place, before, change }: Extraction,
  { collector, issues }: Findings,
): Patches => {
  if (!isJsonObject(change[field])) return { change: {}, given: {} };
  const from = `${field}From`;
  const list = toEntries(Object.hasOwn(change, from) ? change[from] : before[from]);
  const findEntry = (name: string): unknown =>
    list.find((one) => isSameName(field, readOwnField(one, 'name'), name));
  const values = Object.entries(change[field]).filter(([, value]) => value !== SECRET_MASK);
  const plain = new Map<string, unknown>(values);
  const kept = new Set(list);
  const referring = new Set(list);
  const isStored = (name: string): boolean =>
    (findEntry(name) ?? readOwnField(before[field], name)) !== undefined;
  const masked = Object.entries(change[field]).filter(([, value]) => value === SECRET_MASK);
  for (const [name] of masked.filter(([name]) => !isStored(name)))
    issues.push(`spec.${field}.${name}: is ${SECRET_MASK}, and there is no value to keep`);
  for (const [name, value] of values) {
    const entry = findEntry(name);
    kept.delete(entry);
    if (!isClearSecret(name, value)) {
      referring.delete(entry);
      continue;
    }
    const problem = findValueProblem(field === 'env' ? 'variable' : 'header', value);
    if (problem !== undefined) issues.push(`spec.${field}.${name}: ${problem}`);
    if (readOwnField(before[field], name) === undefined) plain.delete(name);
    else plain.set(name, null);
    // An escape of a placeholder is none in a stored value.
    const text = place.form === 'files' ? replacePlaceholders(value, () => '') : value;
    const key = findOwnKey(entry, place);
    if (key !== undefined) collector.replace(key, text);
    else {
      referring.delete(entry);
      referring.add({ name, secretKeyRef: collector.add(name, text) });
    }
  }
  const toPatch = (map: ReadonlyMap<string, unknown>, entries: ReadonlySet<unknown>) => ({
    [field]: map.size > 0 ? Object.fromEntries(map) : undefined,
    [from]: entries.size > 0 || list.length > 0 ? [...entries] : change[from],
  });
  return { change: toPatch(plain, referring), given: toPatch(new Map(values), kept) };
};

/** Returns a change with other fields; an undefined one is left out. */
const withFields = (change: ConfigObject, fields: readonly ConfigObject[]): ConfigObject => {
  const entries = [change, ...fields].flatMap((one) => Object.entries(one));
  return Object.fromEntries([...new Map(entries)].filter(([, value]) => value !== undefined));
};

/** The case of the names of headers is irrelevant. RFC 9110 §5.1 */
const isSameName = (field: string, one: unknown, other: string): boolean =>
  field === 'headers' ? String(one).toLowerCase() === other.toLowerCase() : one === other;

const NOT_IN_ARGUMENTS =
  'contains a secret, which arguments cannot refer to in a cluster: pass it in env';
const NOT_IN_URL = 'contains a secret, which this URL cannot refer to: send it in headers';

/** Without placeholders, random parts of paths stay: most are identifiers. */
const createReplacement =
  (hasPlaceholders: boolean, collector: SecretCollector): ReplaceSecret =>
  (name, value) => {
    if (hasPlaceholders) return collector.placeholder(name, value);
    return name === URL_PATH ? value : SECRET_MASK;
  };

/** Returns arguments with placeholders in place of secrets, which a cluster does not have. */
const extractArguments = (
  { place: { form }, change: { args } }: Extraction,
  { collector, issues }: Findings,
): ConfigObject => {
  if (!isTextList(args)) return {};
  const replaced = replaceArgumentSecrets(args, createReplacement(form === 'files', collector));
  args.forEach((text, at) => {
    if (text === replaced[at]) return;
    const problem = form === 'files' ? findValueProblem('argument', text) : NOT_IN_ARGUMENTS;
    if (problem !== undefined) issues.push(`spec.args[${String(at)}]: ${problem}`);
  });
  return { args: replaced };
};

/** Returns a URL with placeholders in place of secrets. One to which users sign in has none. */
const extractUrl = (
  { place, before, change: { url, auth = before['auth'] } }: Extraction,
  { collector, issues }: Findings,
): ConfigObject => {
  if (typeof url !== 'string') return {};
  const type = readOwnField(auth, 'type') ?? 'none';
  const hasPlaceholders = place.form === 'files' && type === 'none';
  const replaced = replaceUrlSecrets(url, createReplacement(hasPlaceholders, collector));
  if (replaced === url) return {};
  const problem = findValueProblem('url', url) ?? (hasPlaceholders ? undefined : NOT_IN_URL);
  if (problem !== undefined) issues.push(`spec.url: ${problem}`);
  return { url: replaced };
};

/** Returns the rules of tools with references in place of secret arguments. */
const extractFromToolRules = (
  { change: { tools } }: Extraction,
  { collector, issues }: Findings,
): ConfigObject => {
  if (!Array.isArray(tools)) return {};
  const extractFromRule = (rule: unknown, at: number): unknown => {
    const { defaults, defaultsFrom, ...others } = toMap(rule);
    const entries = Object.entries(toMap(defaults));
    const plain = entries.filter(([name, value]) => !isClearSecret(name, value));
    if (plain.length === entries.length) return rule;
    const references = entries.flatMap(([name, value]) => {
      if (!isClearSecret(name, value)) return [];
      const problem = findValueProblem('argument', value);
      const field = `spec.tools[${String(at)}].defaults.${name}`;
      if (problem !== undefined) issues.push(`${field}: ${problem}`);
      return [{ name, secretKeyRef: collector.add(name, value) }];
    });
    return {
      ...others,
      ...(plain.length > 0 && { defaults: Object.fromEntries(plain) }),
      defaultsFrom: [...toEntries(defaultsFrom), ...references],
    };
  };
  return { tools: tools.map(extractFromRule) };
};

/** Moves the secrets in a change of a server to its Secret. Both `spec`s are unparsed. Pure. */
export const extractSecrets = (extraction: Extraction): ExtractedSecrets => {
  const { place, before, change, secrets = [] } = extraction;
  // Arguments, URLs and rules of tools are replaced as a whole.
  const kept = {
    ...before,
    args: change['args'] ?? before['args'],
    url: change['url'] ?? before['url'],
    tools: change['tools'] ?? before['tools'],
  };
  const taken = [kept, change].flatMap((spec) => listSecretKeys(spec, place));
  const collector = new SecretCollector(place, [...taken, ...secrets.map(({ key }) => key)]);
  const findings: Findings = { issues: [], collector };
  const values = SECRET_FIELDS.map((field) => extractValues(field, extraction, findings));
  const wholes = [extractArguments, extractUrl, extractFromToolRules].map((extract) =>
    extract(extraction, findings),
  );
  const { issues } = findings;
  return issues.length > 0
    ? { ok: false, issues }
    : {
        ok: true,
        change: withFields(change, [...wholes, ...values.map((one) => one.change)]),
        given: withFields(
          change,
          values.map((one) => one.given),
        ),
        secrets: [...secrets, ...collector.all()],
      };
};
