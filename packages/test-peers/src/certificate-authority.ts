import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** DER (X.690) of the values that certificates contain: tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = [...(length > 0xff ? [length >> 8] : []), length & 0xff];
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + long.length, ...long];
  return Buffer.concat([Buffer.from(head), content]);
};

/** A sequence of values. */
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
/** A set of values. */
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
/** An object identifier, by the hexadecimal digits of its content. */
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** A string of bytes that contains values. */
const octets = (...parts: readonly Buffer[]): Buffer => der(0x04, ...parts);
/** A string of bits without unused ones. */
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
/** An integer of several bytes, which is positive. */
const integer = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes));
/** A time as `YYMMDDHHMMSSZ`. */
const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text));
/** A text. */
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
/** The truth value. */
const TRUE = der(0x01, Buffer.from([0xff]));
/** A value with a tag of its context. @param isConstructed whether it contains values */
const tagged = (number: number, isConstructed: boolean, ...parts: Buffer[]): Buffer =>
  der((isConstructed ? 0xa0 : 0x80) + number, ...parts);

/** A certificate and its key as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Content {
  readonly subject: Buffer;
  readonly extensions: readonly Buffer[];
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const VALIDITY = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'));
const COMMON_NAME = oid('550403');
const ORGANIZATION = oid('55040a');

const attribute = (type: Buffer, text: string): Buffer => set(sequence(type, utf8(text)));

const distinguishedName = (commonName: string, organizations: readonly string[] = []): Buffer =>
  sequence(
    ...organizations.map((name) => attribute(ORGANIZATION, name)),
    attribute(COMMON_NAME, commonName),
  );

const extension = (type: string, value: Buffer): Buffer => sequence(oid(type), octets(value));

const IS_AUTHORITY = extension('551d13', sequence(TRUE));
const usage = (purpose: string): Buffer => extension('551d25', sequence(oid(purpose)));
const SERVER = usage('2b06010505070301');
const CLIENT = usage('2b06010505070302');
/** `localhost` and 127.0.0.1. */
const LOOPBACK = extension(
  '551d11',
  sequence(
    tagged(2, false, Buffer.from('localhost')),
    tagged(7, false, Buffer.from([127, 0, 0, 1])),
  ),
);
const AUTHORITY_NAME = distinguishedName('authority of the tests');

const pem = (content: Buffer): string => {
  const lines = content.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};

const pemOfKey = (key: KeyObject): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const issued = ({ subject, extensions }: Content, key: KeyObject, issuer: KeyObject): string => {
  const body = sequence(
    tagged(0, true, integer(2)),
    integer(1, ...randomBytes(8)),
    ECDSA_WITH_SHA256,
    AUTHORITY_NAME,
    VALIDITY,
    subject,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(3, true, sequence(...extensions)),
  );
  return pem(sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, issuer))));
};

/** Issues certificates of servers on the loopback address and of clients (RFC 5280). */
export class CertificateAuthority implements Certificate {
  readonly cert: string;
  readonly key: string;
  readonly #key: KeyObject;

  /** @param known an authority that exists already; without it, a new one */
  constructor(known?: Certificate) {
    this.#key = known === undefined ? newKey() : createPrivateKey(known.key);
    this.key = pemOfKey(this.#key);
    const content = { subject: AUTHORITY_NAME, extensions: [IS_AUTHORITY] };
    this.cert = known?.cert ?? issued(content, this.#key, this.#key);
  }

  /** Returns a certificate of `localhost` and 127.0.0.1. */
  server(): Certificate {
    return this.#issue({
      subject: distinguishedName('127.0.0.1'),
      extensions: [LOOPBACK, SERVER],
    });
  }

  /** Returns a certificate of a user of Kubernetes. */
  client(user: string, groups: readonly string[]): Certificate {
    return this.#issue({ subject: distinguishedName(user, groups), extensions: [CLIENT] });
  }

  #issue(content: Content): Certificate {
    const key = newKey();
    return { cert: issued(content, key, this.#key), key: pemOfKey(key) };
  }
}

/** Returns a certificate of `localhost` and 127.0.0.1 that is its own authority. */
export const selfSignedCertificate = (): Certificate => {
  const key = newKey();
  const content = { subject: AUTHORITY_NAME, extensions: [LOOPBACK, IS_AUTHORITY] };
  return { cert: issued(content, key, key), key: pemOfKey(key) };
};
