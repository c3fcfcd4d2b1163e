/** A parsed message, with the text of its result if it could be extracted. */
export interface ReadMessage {
  /** Any JSON value; the reader rejects values that are not messages. */
  readonly value: unknown;
  /** JSON text of the message's `result`. */
  readonly resultText?: string;
}

/** Longer than any tail that contains only the version and the id. */
const MAX_TAIL_CHARS = 80;
const S = '[ \\t\\n\\r]*';
const COMMA = `${S},${S}`;
const VERSION = `("jsonrpc"${S}:${S}"2\\.0")`;
const ID = `"id"${S}:${S}([1-9]\\d{0,14})`;
/** Everything before the value of `result`, when it is only the version and a numeric id. */
const HEAD = new RegExp(
  `${S}\\{${S}(?:${VERSION}${COMMA}(?:${ID}${COMMA})?|${ID}${COMMA}(?:${VERSION}${COMMA})?)?"result"${S}:${S}`,
  'y',
);
/** Everything after that value. */
const TAIL = new RegExp(
  `${S}(?:,${S}${VERSION}(?:${COMMA}${ID})?|,${S}${ID}(?:${COMMA}${VERSION})?)?${S}\\}${S}$`,
);

/** Returns the id when head and tail together contain the version and an id exactly once. */
const idOf = (head: RegExpExecArray, tail: RegExpExecArray): number | undefined => {
  const headId = head[2] ?? head[3];
  const tailId = tail[2] ?? tail[3];
  const headHasVersion = (head[1] ?? head[4]) !== undefined;
  const tailHasVersion = (tail[1] ?? tail[4]) !== undefined;
  if (headHasVersion === tailHasVersion || (headId === undefined) === (tailId === undefined))
    return undefined;
  return Number(headId ?? tailId);
};

/** The place of a result in the text of an answer. */
interface ResultPlace {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

const ID_HEAD = '{"jsonrpc":"2.0","id":';
const RESULT_HEAD = ',"result":';
const MAX_ID_DIGITS = 15;

/** Returns the end of the digits of an id; -1 when none is there, or it begins with 0 or is long. */
const endOfId = (text: string, from: number): number => {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const isId = at > from && at - from <= MAX_ID_DIGITS && text.charCodeAt(from) !== ZERO;
  return isId ? at : -1;
};

const BYTE_ORDER_MARK = 0xfeff;
const ZERO = 0x30;
const NINE = 0x39;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** The place in the layout that most servers write: the version, the id and the result, without white space. */
const plainPlace = (text: string): ResultPlace | undefined => {
  if (!text.startsWith(ID_HEAD) || !text.endsWith('}')) return undefined;
  const end = endOfId(text, ID_HEAD.length);
  if (end === -1 || !text.startsWith(RESULT_HEAD, end)) return undefined;
  const id = Number(text.slice(ID_HEAD.length, end));
  return { id, from: end + RESULT_HEAD.length, to: text.length - 1 };
};

/** The place in any order and with white space. */
const anyPlace = (text: string): ResultPlace | undefined => {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const from = head[0].length;
  const tail = TAIL.exec(text.slice(Math.max(from, text.length - MAX_TAIL_CHARS)));
  if (tail === null) return undefined;
  const id = idOf(head, tail);
  return id === undefined ? undefined : { id, from, to: text.length - tail[0].length };
};

/**
 * Parses an answer of a common layout by its result alone. Head, one JSON value and tail are one JSON object whose only `result` is that
 * value, so the value needs no search.
 */
const readAnswer = (text: string): ReadMessage | undefined => {
  const place = plainPlace(text) ?? anyPlace(text);
  if (place === undefined) return undefined;
  const { id, from, to } = place;
  const resultText = text.slice(from, to);
  try {
    const result: unknown = JSON.parse(resultText);
    return { value: { jsonrpc: '2.0', id, result }, resultText };
  } catch {
    // The result ends elsewhere, or the text is not JSON.
    return undefined;
  }
};

/**
 * Parses the text of one JSON-RPC message; for an answer of a common layout also returns the text of its result.
 *
 * @throws SyntaxError when it is not JSON
 */
export const readMessage = (text: string): ReadMessage =>
  readAnswer(text) ?? { value: JSON.parse(withoutMark(text)) as unknown };

/** Returns the text without a byte order mark. */
const withoutMark = (text: string): string =>
  text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
