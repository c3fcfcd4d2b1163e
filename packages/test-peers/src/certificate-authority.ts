import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { bits, integer, octets, oid, sequence, set, tagged, TRUE, utcTime, utf8 } from './der.ts';

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
