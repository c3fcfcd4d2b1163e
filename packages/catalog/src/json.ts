/** A JSON object as received from a peer: open keys, unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;
