import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** DER: tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = [...(length > 0xff ? [length >> 8] : []), length & 0xff];
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + long.length, ...long];
  return Buffer.concat([Buffer.from(head), content]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (...parts: readonly Buffer[]): Buffer => der(0x04, ...parts);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const NAME = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('127.0.0.1')))));
const VALIDITY = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'));
/** Of the address 127.0.0.1, and its own authority. */
const EXTENSIONS = der(
  0xa3,
  sequence(
    sequence(oid('551d11'), octets(sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))),
    sequence(oid('551d13'), octets(sequence(der(0x01, Buffer.from([0xff]))))),
  ),
);

const signed = (body: Buffer, key: KeyObject): Buffer =>
  sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, key)));

/** Creates a key and a self-signed certificate of 127.0.0.1 (RFC 5280). */
export const selfSignedCertificate = (): { readonly key: string; readonly cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    NAME,
    VALIDITY,
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
    EXTENSIONS,
  );
  const text = signed(body, privateKey)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
};
