/** Words in the names of variables, headers, options and parameters whose values are secrets. */
const SECRET_NAME =
  /token|secret|passw(?:or)?d|passphrase|pwd|api[-_]?key|credential|auth|cookie|session|bearer|private|signature|dsn|connection[-_]?string|(?:^|[-_.])(?:key|pat|pass|sid)$/iu;

/** Values that are no secrets, whatever their names are. */
const PLAIN_VALUE = /^(?:|true|false|yes|no|on|off|none|null|\d{1,6})$/iu;

/** How well-known providers begin their tokens. */
const KNOWN_TOKEN =
  /^(?:sk-|sk_|pk_live|rk_live|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|eyJ[A-Za-z0-9_-]{8}|npm_|pypi-|hf_|dop_v1_|shpat_|SG\.|lin_api_|ntn_|secret_|-----BEGIN )/u;

const CREDENTIALS = /^(?:Bearer|Basic|Token)\s+\S/iu;
const USER_IN_URL = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s@:]*:[^/\s@]+@/iu;
const RANDOM = /^(?=[^0-9]*[0-9])(?=[^a-zA-Z]*[a-zA-Z])[A-Za-z0-9_]{32,}$/u;

const isSecretValue = (value: string): boolean =>
  KNOWN_TOKEN.test(value) ||
  CREDENTIALS.test(value) ||
  USER_IN_URL.test(value) ||
  RANDOM.test(value);

/** Returns whether a value of a variable, header, option or parameter looks like a secret. It may take a plain value for one. */
export const looksSecret = (name: string, value: string): boolean =>
  !PLAIN_VALUE.test(value) && (SECRET_NAME.test(name) || isSecretValue(value));
