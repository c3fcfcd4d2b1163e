import { type CatalogWarning, truncateWarnings, truncateName } from './catalog-warning.ts';
import { groupBy } from './comparisons.ts';
import type { CatalogResourceTemplate } from './snapshot.ts';
import { computeBorders } from './text-finder.ts';

/**
 * Matches what a normalised URI does not contain: percent-encoded octets, to be decoded or written in upper case, and characters
 * that a URI cannot contain. Brackets are among these: outside of IPv6 addresses, clients encode them or do not.
 */
const IRREGULAR = /%[0-9a-fA-F]{2}|[^\w.~:/?#@!$&'()*+,;={}-]/gu;

const UNRESERVED = /[\w.~-]/;

const LONE_SURROGATE = /^[\ud800-\udfff]$/u;

const normalizePiece = (piece: string): string => {
  if (LONE_SURROGATE.test(piece)) return '%EF%BF%BD';
  if (piece.length !== 3 || !piece.startsWith('%')) return encodeURIComponent(piece);
  const char = String.fromCharCode(Number.parseInt(piece.slice(1), 16));
  return UNRESERVED.test(char) ? char : piece.toUpperCase();
};

/** The scheme, user information and host of a URI. The case of the user information counts. */
const HEAD = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#@]*@)?([^/?#@]*))?/i;

const CAPITALS = /%[0-9A-F]{2}|[A-Z]/g;

const lower = (text: string): string =>
  text.replace(CAPITALS, (piece) => (piece.length === 1 ? piece.toLowerCase() : piece));

/** Only letters of ASCII have the case of schemes and hosts: `Ü` and `%C3%9C` stay the same. */
const lowerHead = (head: string, scheme: string, user = '', host?: string): string =>
  host === undefined ? lower(head) : `${lower(scheme)}//${user}${lower(host)}`;

/**
 * Returns the form that equivalent URIs, and IRIs, share: `FILE:///caf%c3%a9 1` and `file:///café%201` are the same. Braces stay, so that
 * a template takes this form too.
 * See RFC 3986, 6.2.2 and RFC 3987, 3.1.
 */
const normalizeUri = (uri: string): string =>
  uri.replace(IRREGULAR, normalizePiece).replace(HEAD, lowerHead);

/**
 * Returns a look-up of items by URI. It finds the items of equivalent URIs too, behind the items of the exact text; otherwise the order
 * is that of the input.
 */
export function createUriIndex<T>(
  items: readonly T[],
  readUri: (item: T) => string,
): (uri: string) => readonly T[] {
  const byUri = groupBy(items, (item) => [normalizeUri(readUri(item))]);
  return (uri) => {
    const found = byUri.get(normalizeUri(uri)) ?? [];
    if (found.length < 2) return found;
    const exact = found.filter((item) => readUri(item) === uri);
    return exact.length === 0 || exact.length === found.length
      ? found
      : [...exact, ...found.filter((item) => readUri(item) !== uri)];
  };
}

/** The most characters of a template that is served. */
const MAX_TEMPLATE_CHARACTERS = 2_048;

/** The most literals and expressions of a template that is served. */
const MAX_TEMPLATE_PARTS = 32;

/** The most literals and expressions of the templates of one server: each is compared with a whole URI. */
const MAX_SERVER_PARTS = 4_096;

const SERVER_PROBLEM = `the templates of the server have more than ${MAX_SERVER_PARTS} literals and expressions`;

/** The most characters of a URI that is matched, in normalised form; a longer one is matched by nothing. */
const MAX_URI_CHARACTERS = 8_192;

/** The texts that an expression matches: empty or a text that starts with `lead`; without a lead, a text that is not empty. */
interface Expression {
  readonly lead: string;
  /** The characters that end the text. */
  readonly stops: RegExp;
}

type Part = string | Expression;

const SIMPLE: Expression = { lead: '', stops: /[/?#]/ };

/** `{path*}`: by the RFC a list, with FastMCP several segments. */
const EXPLODED: Expression = { lead: '', stops: /[?#]/ };

/** By operator. Values are matched leniently, whatever their length: the server has the last word. RFC 6570 §2.2 */
const EXPRESSIONS: ReadonlyMap<string, Expression> = new Map([
  ['+', { lead: '', stops: /$^/ }],
  ['#', { lead: '#', stops: /$^/ }],
  ['.', { lead: '.', stops: /[/?#]/ }],
  ['/', { lead: '/', stops: /[?#]/ }],
  [';', { lead: ';', stops: /[/?#]/ }],
  ['?', { lead: '?', stops: /#/ }],
  ['&', { lead: '&', stops: /#/ }],
]);

const parseExpression = (text: string): Expression =>
  EXPRESSIONS.get(text.charAt(0)) ?? (text.includes('*') ? EXPLODED : SIMPLE);

/** The literals and expressions of a template, or why no URI can match it. */
type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly Part[] }
  | { readonly ok: false; readonly problem: string };

const EXPRESSION = /\{([^{}]*)\}/g;

function parseTemplate(template: string): ParsedTemplate {
  const refuse = (problem: string): ParsedTemplate => ({ ok: false, problem });
  if (template.length > MAX_TEMPLATE_CHARACTERS)
    return refuse(`it has more than ${MAX_TEMPLATE_CHARACTERS} characters`);
  const expressions = [...template.matchAll(EXPRESSION)].map(([, text = '']) => text);
  if (expressions.includes('')) return refuse('it has an expression without a variable');
  const literals = normalizeUri(template.replace(EXPRESSION, '{}')).split('{}');
  if (literals.some((literal) => /[{}]/.test(literal)))
    return refuse('it has a brace without a partner');
  const parts = literals.flatMap((literal, index): readonly Part[] => {
    const expression = expressions[index];
    return [
      ...(literal === '' ? [] : [literal]),
      ...(expression === undefined ? [] : [parseExpression(expression)]),
    ];
  });
  return parts.length > MAX_TEMPLATE_PARTS
    ? refuse(`it has more than ${MAX_TEMPLATE_PARTS} literals and expressions`)
    : { ok: true, parts };
}

/** Marks where in the URI a literal may end, given where it may begin. */
function markLiteralEnds(literal: string, uri: string, starts: Uint8Array): Uint8Array {
  const ends = new Uint8Array(starts.length);
  const borders = computeBorders(literal);
  let matched = 0;
  for (let at = 0; at < uri.length; at += 1) {
    while (matched > 0 && literal.charCodeAt(matched) !== uri.charCodeAt(at))
      matched = borders[matched - 1] ?? 0;
    if (literal.charCodeAt(matched) === uri.charCodeAt(at)) matched += 1;
    if (matched < literal.length) continue;
    ends[at + 1] = starts[at + 1 - matched] ?? 0;
    matched = borders[matched - 1] ?? 0;
  }
  return ends;
}

/** Marks where in the URI an expression may end, given where it may begin. Reads each character once. */
function markExpressionEnds(
  { lead, stops }: Expression,
  uri: string,
  starts: Uint8Array,
): Uint8Array {
  const ends = lead === '' ? new Uint8Array(starts.length) : starts.slice();
  const stop = new RegExp(stops, 'g');
  let at = starts.indexOf(1);
  while (at !== -1 && at < uri.length) {
    let end = at;
    if (lead === '' || uri[at] === lead) {
      stop.lastIndex = at;
      end = stop.exec(uri)?.index ?? uri.length;
    }
    ends.fill(1, at + 1, end + 1);
    at = starts.indexOf(1, Math.max(end, at + 1));
  }
  return ends;
}

function matchParts(parts: readonly Part[], uri: string): boolean {
  const [first] = parts;
  const last = parts.at(-1);
  if (typeof first === 'string' && !uri.startsWith(first)) return false;
  if (typeof last === 'string' && !uri.endsWith(last)) return false;
  let ends: Uint8Array = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const part of parts) {
    ends =
      typeof part === 'string'
        ? markLiteralEnds(part, uri, ends)
        : markExpressionEnds(part, uri, ends);
    if (!ends.includes(1)) return false;
  }
  return ends[uri.length] === 1;
}

/** A URI in the form that is matched; `undefined` for one that is too long. */
function readUri(uri: string): string | undefined {
  if (uri.length > MAX_URI_CHARACTERS) return undefined;
  const text = normalizeUri(uri).replace(/[{}]/g, encodeURIComponent);
  return text.length > MAX_URI_CHARACTERS ? undefined : text;
}

/** Entries are shared between snapshots, so a template is parsed once as long as its server does not change. */
const parsedTemplates = new WeakMap<CatalogResourceTemplate, ParsedTemplate>();

function readTemplate(template: CatalogResourceTemplate): ParsedTemplate {
  const known = parsedTemplates.get(template);
  if (known !== undefined) return known;
  const parsed = parseTemplate(template.uriTemplate);
  parsedTemplates.set(template, parsed);
  return parsed;
}

/** Returns the templates of a server that URIs can match, and warnings about the others, which are not listed. */
export function checkTemplates(templates: readonly CatalogResourceTemplate[]): {
  readonly resourceTemplates: readonly CatalogResourceTemplate[];
  readonly warnings: readonly CatalogWarning[];
} {
  const refused: Extract<CatalogWarning, { readonly code: 'template.refused' }>[] = [];
  let total = 0;
  const resourceTemplates = templates.filter((template) => {
    const parsed = readTemplate(template);
    if (parsed.ok) total += parsed.parts.length;
    const isServed = parsed.ok && total <= MAX_SERVER_PARTS;
    if (!isServed)
      refused.push({
        code: 'template.refused',
        template: truncateName(template.uriTemplate),
        server: template.server,
        problem: parsed.ok ? SERVER_PROBLEM : parsed.problem,
      });
    return isServed;
  });
  return { resourceTemplates, warnings: truncateWarnings(refused) };
}

/**
 * Returns a look-up of the resource templates that a URI, or an equivalent one, can be an expansion of, in order, and of the template of that
 * text; with `servers`, of the templates of those alone. Its time grows with the length of the URI times that of the templates; both are bounded.
 *
 * @spec RFC 6570 §2
 */
export function indexTemplates(
  templates: readonly CatalogResourceTemplate[],
): (uri: string, servers?: ReadonlySet<string>) => readonly CatalogResourceTemplate[] {
  const readable = templates.flatMap((template) => {
    const parsed = readTemplate(template);
    return parsed.ok ? [{ template, parts: parsed.parts }] : [];
  });
  const byServer = groupBy(readable, ({ template }) => [template.server]);
  return (uri, servers) => {
    const text = readUri(uri);
    if (text === undefined) return [];
    const found: CatalogResourceTemplate[] = [];
    for (const [server, group] of byServer) {
      if (servers?.has(server) === false) continue;
      for (const { template, parts } of group)
        if (template.uriTemplate === uri || matchParts(parts, text)) found.push(template);
    }
    return found;
  };
}
