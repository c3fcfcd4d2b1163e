import type * as z from 'zod/mini';
import type { JsonMap } from '@gateway/go-template';
import type { Result } from '@gateway/toolset-grammar';
import { MAX_PATTERN_CHARS } from './limits.ts';

/** A syntax of strings over characters (the flag `u`, as JSON Schema and RE2 read it too), and how a refusal describes it: "must ...". */
export interface TextPattern {
  readonly regex: RegExp;
  readonly must: string;
  /** A further check for texts that match the syntax. */
  readonly also?: (text: string) => boolean;
  /** A mistake in texts without the syntax that has a remedy. */
  readonly mistake?: Pick<TextPattern, 'regex' | 'must'>;
}

/** A user and a password in a URL: no request would have them. */
const createUserMistake = (remedy: string): NonNullable<TextPattern['mistake']> => ({
  regex: /^https?:\/\/[^/?#]*@/u,
  must: `must not contain a user or a password: ${remedy}`,
});

const canParseUrl = (text: string): boolean => URL.canParse(text);

/** An endpoint that is reached over HTTP. @spec §2.6 url */
export const HTTP_URL: TextPattern = {
  regex: /^https?:\/\/[^\s/$.?#@]([^\s/?#@]+([/?#][^\s]*)?|[/?#][^\s]*)$/u,
  must: 'must be an http:// or https:// URL',
  mistake: createUserMistake('send them in headers, from a Secret with headersFrom'),
  also: canParseUrl,
};

/** An endpoint that tokens are sent to. @spec §2.6 dexTokenEndpoint, expectedIssuer */
export const HTTPS_URL: TextPattern = {
  regex: /^https:\/\/[^\s/$.?#@]([^\s/?#@]+([/?#][^\s]*)?|[/?#][^\s]*)$/u,
  must: 'must be an https:// URL',
  mistake: createUserMistake('clientCredentialsSecretRef names a Secret with them'),
  also: canParseUrl,
};

/** An OAuth issuer: HTTPS, no trailing slash, no query, no fragment. @spec §2.6 issuer; RFC 8414 §2 */
export const ISSUER_URL: TextPattern = {
  regex: /^https:\/\/[^/?#@]+(\/[^?#]*[^/?#])?$/u,
  must: 'must be an https:// URL without trailing slash, query and fragment',
  mistake: createUserMistake('an issuer has none'),
  also: canParseUrl,
};

/** Part of an exposed tool name, or a connector's id. @spec §2.6 toolPrefix, family.name, connectorId */
export const IDENTIFIER: TextPattern = {
  regex: /^[a-zA-Z][a-zA-Z0-9_-]*$/u,
  must: 'must start with a letter and contain only letters, digits, "_" and "-"',
};

/** The name of a tool's argument. @spec §2.6 family.instanceArg */
export const ARGUMENT_NAME: TextPattern = {
  regex: /^[a-zA-Z][a-zA-Z0-9_]*$/u,
  must: 'must start with a letter and contain only letters, digits and "_"',
};

/** OAuth scope tokens with one space between them. @spec §2.6 scopes; RFC 6749 §3.3 */
export const SCOPES: TextPattern = {
  regex: /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/u,
  must: 'must be OAuth scope tokens separated by single spaces',
};

/** Text that can be passed to a process: an argument, the value of a variable. */
export const PROCESS_TEXT: TextPattern = {
  regex: /^[^\x00]*$/u,
  must: 'must not contain a NUL character',
};

/** The name of an environment variable. */
export const ENV_NAME: TextPattern = {
  regex: /^[^=\x00]+$/u,
  must: 'must not contain "=" or a NUL character',
};

/** The name of an HTTP header. RFC 9110 §5.6.2 token */
export const HEADER_NAME: TextPattern = {
  regex: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u,
  must: 'must be an HTTP header name',
};

/** The value of an HTTP header. RFC 9110 §5.5 */
export const HEADER_VALUE: TextPattern = {
  regex: /^[\t\x20-\x7e\x80-\xff]*$/u,
  must: 'must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
};

/** The name of a resource: a DNS subdomain. RFC 1123 as Kubernetes applies it */
export const RESOURCE_NAME: TextPattern = {
  regex: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u,
  must: 'must consist of lower-case letters, digits, "-" and ".", and each part between dots must start and end with a letter or digit',
};

/** The name of a namespace: a DNS label. RFC 1123 as Kubernetes applies it */
export const DNS_LABEL: TextPattern = {
  regex: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u,
  must: 'must consist of lower-case letters, digits and "-", and start and end with a letter or digit',
};

/** A key of a Secret or ConfigMap, as Kubernetes applies it. */
export const OBJECT_KEY: TextPattern = {
  regex: /^[-._a-zA-Z0-9]+$/u,
  must: 'must contain only letters, digits, "-", "_" and "."',
};

/** The key of a label or annotation: an optional DNS subdomain and "/", then at most 63 characters of name. */
export const LABEL_KEY: TextPattern = {
  regex:
    /^(?=[^/]{1,253}\/[^/]{1,63}$|[^/]{1,63}$)([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/u,
  must: 'must be a label key: an optional DNS prefix and "/", then up to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit',
};

/** The value of a label: empty, or like the name of a key. */
export const LABEL_VALUE: TextPattern = {
  regex: /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/u,
  must: 'must be a label value: letters, digits, "-", "_" and ".", starting and ending with a letter or digit, or empty',
};

/** The id of a step. @spec §2.7 id */
export const STEP_ID: TextPattern = {
  regex: /^[a-zA-Z0-9_-]+$/u,
  must: 'must contain only letters, digits, "_" and "-"',
};

/** The name of a loop's variable, as templates write it. @spec §2.7 forEach.as */
export const VARIABLE_NAME: TextPattern = {
  regex: /^[a-zA-Z_][a-zA-Z0-9_-]*$/u,
  must: 'must start with a letter or "_" and contain only letters, digits, "_" and "-"',
};

const readCodePoint = (end: string): number => end.codePointAt(end.startsWith('\\') ? 1 : 0) ?? 0;

/** Returns whether a glob has no reversed range such as `[z-a]`, which no regular expression finds. */
const hasOrderedRanges = (glob: string): boolean =>
  [...glob.matchAll(/\\.|\[(\\.|[^\\\]])*\]/gsu)].every(([part]) =>
    [...part.matchAll(/(\\.|[^\\])-(\\.|[^\\])/gsu)].every(
      ([, low = '', high = '']) => readCodePoint(low) <= readCodePoint(high),
    ),
  );

/** A character of a class in a glob. */
const MEMBER = String.raw`([^\x00\\\]-]|\\[^\x00])`;
const CLASS = String.raw`\[(\^${MEMBER}|[^\x00\\\]^-]|\\[^\x00])(-${MEMBER})?(${MEMBER}(-${MEMBER})?)*\]`;

/** A glob over names, in the syntax of patterns of presets: `*`, `?`, `[a-z]`, `[^a-z]` and `\x`. @spec §2.2 rule `pattern` */
export const GLOB: TextPattern = {
  regex: new RegExp(String.raw`^([^\x00[\\]|\\[^\x00]|${CLASS})+$`, 'u'),
  must: 'must be a pattern that compiles',
  also: (glob) => glob.length <= MAX_PATTERN_CHARS && hasOrderedRanges(glob),
};

/** The bounds of a string. Lengths count characters (Unicode code points). */
export interface TextBounds {
  /** 0 when absent. */
  readonly min?: number;
  readonly max: number;
  readonly pattern?: TextPattern;
}

export interface IntegerBounds {
  readonly min: number;
  readonly max?: number;
}

export interface KeyedMapBounds {
  readonly key: TextBounds;
  readonly maxEntries: number;
  /** A key that is not allowed, and the message that refuses it. */
  readonly reserved?: { readonly key: string; readonly message: string };
}

/** Parses a key that is within its bounds; returns the parsed key or its problem. */
export type ReadKey<Key> = (written: string) => Result<Key, string>;

/** A field as a zod schema. */
export type Field = z.core.$ZodType;

/** The description and bounds of a field that zod cannot express. Schemas are generated from it; parsing never reads it. */
export interface FieldFacts {
  /** The purpose of the field: one line for editors, `kubectl explain` and the reference. */
  readonly about?: string;
  /** Of an object: its name in schemas, types and the reference. */
  readonly name?: string;
  readonly text?: TextBounds;
  readonly integer?: IntegerBounds;
  /** The most entries of a list. */
  readonly maxItems?: number;
  readonly map?: { readonly entry: Field; readonly bounds: KeyedMapBounds };
  /** Free-form JSON: any value, or a mapping of any values. */
  readonly json?: 'value' | 'mapping';
  /** For an object: JSON Schema keywords that express a further check. */
  readonly also?: JsonMap;
  /** No value is accepted; the field exists so that its refusal can state the reason. */
  readonly isRefused?: true;
  /** Of a field of `MCPServer.spec`. */
  readonly server?: ServerFieldFacts;
}

/** The kinds of servers: those that run as a process, and those that are reached over HTTP. */
export type ServerKind = 'stdio' | 'remote';

/** The meaning of a field of `MCPServer.spec` besides its values. Everything that treats fields by name follows from it. */
export interface ServerFieldFacts {
  /** The description of the argument of core tools, if it is shorter than that of the field. */
  readonly argument?: string;
  /** The argument of core tools has the whole schema, with bounds and descriptions. */
  readonly isDetailed?: true;
  /** The only kind of servers for which the field has a meaning. */
  readonly kind?: ServerKind;
  /** A server of the other kind that has the field is refused. */
  readonly isRefusedElsewhere?: true;
  /** The value that an absent field means, where it is compared or shown. */
  readonly unset?: string;
  /** A change of the field replaces the connections of servers of this kind, or of all. */
  readonly reconnects?: ServerKind | 'all';
  /** Each value of the map is a secret. */
  readonly isSecret?: true;
  /** File mode replaces placeholders in the texts of the field. */
  readonly hasPlaceholders?: true;
  /** The field does not decide where the values of a server are sent. */
  readonly keepsDestination?: true;
}

const known = new WeakMap<Field, FieldFacts>();

/** Returns the facts of a field; a field derived by further checks has the facts of its parent too. */
export const readFieldFacts = (field: Field): FieldFacts => {
  const { parent } = field._zod;
  return { ...(parent === undefined ? {} : readFieldFacts(parent)), ...known.get(field) };
};

/** Returns the field with further facts. */
export const withFacts = <Known extends z.ZodMiniType>(facts: FieldFacts, field: Known): Known => {
  const copy = field.clone();
  known.set(copy, facts);
  return copy;
};

/** Returns a copy of a field with a description. */
export const describeField = <Known extends z.ZodMiniType>(about: string, field: Known): Known =>
  withFacts({ about }, field);

/** Returns a copy of a field of `MCPServer.spec` with a description and its meaning. */
export const describeServerField = <Known extends z.ZodMiniType>(
  about: string,
  server: ServerFieldFacts,
  field: Known,
): Known => withFacts({ about, server }, field);

/** Returns a copy of an object field with a name. */
export const nameField = <Known extends z.ZodMiniType>(name: string, field: Known): Known =>
  withFacts({ name }, field);

/** Limits a check of a length to texts and lists. The library measures whatever has a member `length`, which can be an object that is no number. */
export const checkMaximumLength = <Check extends z.core.$ZodCheck>(check: Check): Check => {
  check._zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value);
  return check;
};
