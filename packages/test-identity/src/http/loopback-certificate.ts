import { generateKeyPairSync, sign } from 'node:crypto';
import tls from 'node:tls';

/** A key and a certificate for `https://127.0.0.1`, in PEM. */
export interface LoopbackCertificate {
  readonly key: string;
  readonly cert: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const OCTETS = 0x04;
const OID = 0x06;
const TIME = 0x17;
const TEXT = 0x0c;
const BITS = 0x03;

/** Encodes a value in DER. Contents have less than 64 KiB. */
const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const long = [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const oid = (hex: string): Buffer => der(OID, bytes(hex));

const ECDSA_WITH_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const NAME = der(
  SEQUENCE,
  der(SET, der(SEQUENCE, oid('550403'), der(TEXT, Buffer.from('127.0.0.1')))),
);
/** `subjectAltName` with the address 127.0.0.1. RFC 5280 §4.2.1.6 */
const ALT_NAME = der(
  SEQUENCE,
  oid('551d11'),
  der(OCTETS, der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])))),
);
/** `basicConstraints`: the certificate signs itself. RFC 5280 §4.2.1.9 */
const CONSTRAINTS = der(SEQUENCE, oid('551d13'), der(OCTETS, der(SEQUENCE, bytes('0101ff'))));

const DAY_MS = 86_400_000;

const utcTime = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replaceAll(/\D/gu, '').slice(2, 14);
  return der(TIME, Buffer.from(`${digits}Z`));
};

const create = (now: number): LoopbackCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = der(
    SEQUENCE,
    der(0xa0, bytes('020102')),
    der(INTEGER, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    NAME,
    der(SEQUENCE, utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ALT_NAME, CONSTRAINTS)),
  );
  const signature = sign('sha256', body, privateKey);
  const all = der(SEQUENCE, body, ECDSA_WITH_SHA256, der(BITS, bytes('00'), signature));
  const lines = all.toString('base64').replaceAll(/.{64}/gu, '$&\n').trimEnd();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};

let made: LoopbackCertificate | undefined;

/** Returns the certificate of this process for `https://127.0.0.1`. From now on this process trusts it, and it expires after a day. */
export const loopbackCertificate = (): LoopbackCertificate => {
  if (made === undefined) {
    made = create(Date.now());
    // eslint-disable-next-line n/no-unsupported-features/node-builtins -- tests run on the Node of the applications
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), made.cert]);
  }
  return made;
};
