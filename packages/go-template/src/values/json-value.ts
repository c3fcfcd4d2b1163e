/** A value of JSON (RFC 8259). Objects may lack a prototype; only own keys count. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object of JSON, with keys that somebody else chose. */
export type JsonMap = Readonly<Record<string, JsonValue>>;
