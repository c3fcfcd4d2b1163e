/** Names that belong to HTTP or to the protocol, or that would make one server pass for another. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const OWN_PREFIXES = ['proxy-', 'sec-', 'x-forwarded-'];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
const MAX_HEADERS = 128;

const problemOf = ([name, value]: readonly [string, string]): string | undefined => {
  if (!NAME.test(name)) return 'a header has no valid name';
  const lower = name.toLowerCase();
  if (OWN_NAMES.has(lower) || OWN_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return `the header ${lower} must not be set`;
  }
  return VALUE.test(value) ? undefined : `the value of the header ${lower} is not valid`;
};

/** Why these headers must not be sent, without their values; `undefined` when they may. RFC 9110 §5 */
export const headersProblem = (headers: Readonly<Record<string, string>>): string | undefined => {
  const lines = Object.entries(headers);
  if (lines.length > MAX_HEADERS) return `there are more than ${MAX_HEADERS} headers`;
  return lines.map(problemOf).find((problem) => problem !== undefined);
};
