/** DER (X.690) of the values that certificates contain: tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = [...(length > 0xff ? [length >> 8] : []), length & 0xff];
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + long.length, ...long];
  return Buffer.concat([Buffer.from(head), content]);
};

/** A sequence of values. */
export const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
/** A set of values. */
export const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
/** An object identifier, by the hexadecimal digits of its content. */
export const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** A string of bytes that contains values. */
export const octets = (...parts: readonly Buffer[]): Buffer => der(0x04, ...parts);
/** A string of bits without unused ones. */
export const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
/** An integer of several bytes, which is positive. */
export const integer = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes));
/** A time as `YYMMDDHHMMSSZ`. */
export const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text));
/** A text. */
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
/** The truth value. */
export const TRUE = der(0x01, Buffer.from([0xff]));
/** A value with a tag of its context. @param isConstructed whether it contains values */
export const tagged = (number: number, isConstructed: boolean, ...parts: Buffer[]): Buffer =>
  der((isConstructed ? 0xa0 : 0x80) + number, ...parts);
