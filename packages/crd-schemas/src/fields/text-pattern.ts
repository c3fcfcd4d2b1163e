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
const mistakeUser = (remedy: string): NonNullable<TextPattern['mistake']> => ({
  regex: /^https?:\/\/[^/?#]*@/u,
  must: `must not contain a user or a password: ${remedy}`,
});

const parsesAsUrl = (text: string): boolean => URL.canParse(text);

/** An endpoint that is reached over HTTP. @spec §2.6 url */
export const HTTP_URL: TextPattern = {
  regex: /^https?:\/\/[^\s/$.?#@]([^\s/?#@]+([/?#][^\s]*)?|[/?#][^\s]*)$/u,
  must: 'must be an http:// or https:// URL',
  mistake: mistakeUser('send them in headers, from a Secret with headersFrom'),
  also: parsesAsUrl,
};

/** An endpoint that tokens are sent to. @spec §2.6 dexTokenEndpoint, expectedIssuer */
export const HTTPS_URL: TextPattern = {
  regex: /^https:\/\/[^\s/$.?#@]([^\s/?#@]+([/?#][^\s]*)?|[/?#][^\s]*)$/u,
  must: 'must be an https:// URL',
  mistake: mistakeUser('clientCredentialsSecretRef names a Secret with them'),
  also: parsesAsUrl,
};

/** An OAuth issuer: HTTPS, no trailing slash, no query, no fragment. @spec §2.6 issuer; RFC 8414 §2 */
export const ISSUER_URL: TextPattern = {
  regex: /^https:\/\/[^/?#@]+(\/[^?#]*[^/?#])?$/u,
  must: 'must be an https:// URL without trailing slash, query and fragment',
  mistake: mistakeUser('an issuer has none'),
  also: parsesAsUrl,
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

/** The bounds of a string. Lengths count characters (Unicode code points). */
export interface TextBounds {
  /** 0 when absent. */
  readonly min?: number;
  readonly max: number;
  readonly pattern?: TextPattern;
}
