/** The most characters of a template that is matched; a longer one matches nothing. */
const MAX_TEMPLATE_CHARACTERS = 2_048;

/** The most literals and expressions of a template that is matched; one of more matches nothing. */
const MAX_TEMPLATE_PARTS = 32;

/** The most characters of a URI that is matched; a longer one is matched by nothing. */
const MAX_URI_CHARACTERS = 16_384;

/** The texts that an expression matches: empty or a text that starts with `lead`; without a lead, a text that is not empty. */
interface Expression {
  readonly lead: string;
  /** The characters that end the text. */
  readonly stops: string;
}

type Part = string | Expression;

const SIMPLE: Expression = { lead: '', stops: '/?#' };

/** By operator. Values are matched leniently, encoded or not: the server has the last word. RFC 6570 §2.2 */
const EXPRESSIONS: ReadonlyMap<string, Expression> = new Map([
  ['+', { lead: '', stops: '' }],
  ['#', { lead: '#', stops: '' }],
  ['.', { lead: '.', stops: '/?#' }],
  ['/', { lead: '/', stops: '?#' }],
  [';', { lead: ';', stops: '/?#' }],
  ['?', { lead: '?', stops: '#' }],
  ['&', { lead: '&', stops: '#' }],
]);

/** The literals and expressions of a template; nothing when a brace has no partner or an expression is empty. */
function partsOf(template: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (const [index, piece] of template.split('{').entries()) {
    const close = piece.indexOf('}');
    const isExpression = index > 0;
    if (isExpression ? close < 1 : close !== -1) return undefined;
    if (isExpression) parts.push(EXPRESSIONS.get(piece.charAt(0)) ?? SIMPLE);
    const literal = piece.slice(close + 1);
    if (literal.includes('}')) return undefined;
    if (literal !== '') parts.push(literal);
  }
  return parts;
}

/** Marks where in the URI a literal may end, given where it may begin. */
function endsOfLiteral(literal: string, uri: string, starts: Uint8Array): Uint8Array {
  const ends = new Uint8Array(starts.length);
  for (let at = 0; at + literal.length <= uri.length; at += 1) {
    if (starts[at] === 1 && uri.startsWith(literal, at)) ends[at + literal.length] = 1;
  }
  return ends;
}

/** Marks where in the URI an expression may end, given where it may begin. */
function endsOfExpression(
  { lead, stops }: Expression,
  uri: string,
  starts: Uint8Array,
): Uint8Array {
  const ends = lead === '' ? new Uint8Array(starts.length) : starts.slice();
  let isInside = false;
  for (let at = 0; at < uri.length; at += 1) {
    const char = uri.charAt(at);
    const begins = starts[at] === 1 && (lead === '' || char === lead);
    isInside = (isInside || begins) && !stops.includes(char);
    if (isInside) ends[at + 1] = 1;
  }
  return ends;
}

function matchesParts(parts: readonly Part[], uri: string): boolean {
  const first = parts[0];
  if (typeof first === 'string' && !uri.startsWith(first)) return false;
  let ends: Uint8Array = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const part of parts) {
    ends =
      typeof part === 'string' ? endsOfLiteral(part, uri, ends) : endsOfExpression(part, uri, ends);
  }
  return ends[uri.length] === 1;
}

/**
 * Makes the test whether a URI can be an expansion of a template. Its time grows with the length of the URI times that of
 * the template, both bounded; a malformed or oversized template matches nothing.
 *
 * @spec RFC 6570 §2
 */
export function uriTemplateMatcher(template: string): (uri: string) => boolean {
  const parts = template.length <= MAX_TEMPLATE_CHARACTERS ? partsOf(template) : undefined;
  if (parts === undefined || parts.length > MAX_TEMPLATE_PARTS) return () => false;
  return (uri) => uri.length <= MAX_URI_CHARACTERS && matchesParts(parts, uri);
}
