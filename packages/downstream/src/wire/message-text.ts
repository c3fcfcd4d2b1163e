/** A message that was read once, and the text of its result where that could be cut out. */
export interface ReadMessage {
  /** Any JSON value: what is no message is for the reader to refuse. */
  readonly value: unknown;
  /** JSON text of the message's `result`. */
  readonly resultText?: string;
}

/** Longer than any end of a message that has only its version and its id behind the result. */
const MAX_TAIL_CHARS = 80;
const S = '[ \\t\\n\\r]*';
const COMMA = `${S},${S}`;
const VERSION = `("jsonrpc"${S}:${S}"2\\.0")`;
const ID = `"id"${S}:${S}([1-9]\\d{0,14})`;
/** Everything up to the value of `result`, when nothing but the version and a numeric id stands before it. */
const HEAD = new RegExp(
  `${S}\\{${S}(?:${VERSION}${COMMA}(?:${ID}${COMMA})?|${ID}${COMMA}(?:${VERSION}${COMMA})?)?"result"${S}:${S}`,
  'y',
);
/** Everything behind that value. */
const TAIL = new RegExp(
  `${S}(?:,${S}${VERSION}(?:${COMMA}${ID})?|,${S}${ID}(?:${COMMA}${VERSION})?)?${S}\\}${S}$`,
);

/** The id, when the two ends of a message hold the version and an id once each. */
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
 * Reads an answer of a usual layout by its result alone. A text that is head, one JSON value and tail is one JSON object with
 * the members of head and tail and that value as its only `result`, whatever the value is: nothing has to be looked for in it.
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
    // The result ends elsewhere than it seems to, or the text is no JSON at all.
    return undefined;
  }
};

/**
 * Reads the text of one JSON-RPC message, and of an answer in one of the usual layouts the text of its result too.
 *
 * @throws SyntaxError when it is no JSON
 */
export const readMessage = (text: string): ReadMessage =>
  readAnswer(text) ?? { value: JSON.parse(text) as unknown };
