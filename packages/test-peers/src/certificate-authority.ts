// The library of certificates needs it, before it is loaded.
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonName,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const { subtle } = crypto;
const KEY = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { ...KEY, hash: 'SHA-256' };
const VALIDITY = { notBefore: new Date('2020-01-01Z'), notAfter: new Date('2049-12-31Z') };

const AUTHORITY_NAME: JsonName = [{ CN: ['authority of the tests'] }];
const IS_AUTHORITY = new BasicConstraintsExtension(true);
const SERVER = new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]);
const CLIENT = new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]);
const LOOPBACK = new SubjectAlternativeNameExtension([
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
]);

/** With the types of a browser or of Node. */
type SigningKey = Awaited<ReturnType<typeof subtle.importKey>>;

const createCertificate = async (
  subject: JsonName,
  extensions: readonly Extension[],
  issuer?: SigningKey,
): Promise<Certificate> => {
  const { publicKey, privateKey } = await subtle.generateKey(KEY, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    ...VALIDITY,
    subject,
    issuer: AUTHORITY_NAME,
    extensions: [...extensions],
    publicKey,
    signingKey: issuer ?? privateKey,
    signingAlgorithm: SIGNATURE,
  });
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: PemConverter.encode(await subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY'),
  };
};

/** Issues certificates of servers on the loopback address and of clients (RFC 5280). */
export class CertificateAuthority implements Certificate {
  readonly cert: string;
  readonly key: string;
  readonly #signingKey: SigningKey;

  private constructor({ cert, key }: Certificate, signingKey: SigningKey) {
    this.cert = cert;
    this.key = key;
    this.#signingKey = signingKey;
  }

  static async create(): Promise<CertificateAuthority> {
    return CertificateAuthority.open(await createCertificate(AUTHORITY_NAME, [IS_AUTHORITY]));
  }

  static async open(known: Certificate): Promise<CertificateAuthority> {
    const key = PemConverter.decodeFirst(known.key);
    return new CertificateAuthority(
      known,
      await subtle.importKey('pkcs8', key, KEY, false, ['sign']),
    );
  }

  server(): Promise<Certificate> {
    return createCertificate([{ CN: ['127.0.0.1'] }], [LOOPBACK, SERVER], this.#signingKey);
  }

  /** Returns a certificate of a user of Kubernetes. */
  client(user: string, groups: readonly string[]): Promise<Certificate> {
    const subject = [...groups.map((group) => ({ O: [group] })), { CN: [user] }];
    return createCertificate(subject, [CLIENT], this.#signingKey);
  }
}

/** Returns a certificate of `localhost` and 127.0.0.1 that is its own authority. */
export const createSelfSignedCertificate = (): Promise<Certificate> =>
  createCertificate(AUTHORITY_NAME, [LOOPBACK, IS_AUTHORITY]);
