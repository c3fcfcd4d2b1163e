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

/**
 * Parses an answer of a common layout by its result alone. Head, one JSON value and tail are one JSON object whose only `result` is that
 * value, so the value needs no search.
 */
const readAnswer = (text: string): ReadMessage | undefined => {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const from = head[0].length;
  const tail = TAIL.exec(text.slice(Math.max(from, text.length - MAX_TAIL_CHARS)));
  if (tail === null) return undefined;
  const id = idOf(head, tail);
  if (id === undefined) return undefined;
  const resultText = text.slice(from, text.length - tail[0].length);
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
  readAnswer(text) ?? { value: JSON.parse(text) as unknown };
