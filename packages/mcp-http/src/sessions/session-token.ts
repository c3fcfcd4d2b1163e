import { ANONYMOUS } from '@gateway/call-contract';
import {
  createHmac,
  createSecretKey,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/** The facts that a session's id carries for every holder of the key. */
export interface SessionFacts {
  /** Protocol revision agreed at `initialize`. */
  readonly revision: string;
  /** The requests that the client accepts, as bits of `parseClientFeatures`. */
  readonly features: number;
  /** Time of `initialize`, in milliseconds since the epoch, a multiple of 1,000. */
  readonly issuedAt: number;
  /** Keyed digest of the principal that started the session, see {@link SessionTokens.computeOwner}; empty for the anonymous one. */
  readonly owner: string;
}

/** Revisions by their number in an id; the numbers are shared by replicas of all versions, so new ones go last. */
const REVISIONS: readonly string[] = [
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
];

/**
 * Bytes of an id: a random part, layout and revision, features, time of issue, the owner unless it is anonymous, the signature.
 * The random part is first, since logs show the first 8 characters to distinguish sessions.
 */
const NONCE_BYTES = 5;
const REVISION_AT = NONCE_BYTES;
const FEATURES_AT = REVISION_AT + 1;
const TIME_AT = FEATURES_AT + 1;
const OWNER_AT = TIME_AT + 4;
const OWNER_BYTES = 6;
const SIGNATURE_BYTES = 7;

/** The layouts: without and with an owner. */
const ANONYMOUS_LAYOUT = { mark: 0x10, signedBytes: OWNER_AT };
const OWNED_LAYOUT = { mark: 0x20, signedBytes: OWNER_AT + OWNER_BYTES };
const TOKEN = /^(?:[0-9a-f]{36}|[0-9a-f]{48})$/;
const MAX_CHARS = 48;
const SECOND_MS = 1_000;
const MIN_KEY_BYTES = 32;

/** Creates and parses session ids that carry the facts of a session, signed with a key that replicas share. */
export class SessionTokens {
  readonly #key: KeyObject;
  readonly #keys: readonly KeyObject[];

  /**
   * @param key secret of the signature; random where none is given, so that ids are good for this process only
   * @param previous a key whose ids are still accepted, while replicas get a new key
   * @throws RangeError when a key is too short to be one
   */
  constructor(key: Uint8Array = randomBytes(MIN_KEY_BYTES), previous?: Uint8Array) {
    const keys = previous === undefined ? [key] : [key, previous];
    if (keys.some(({ length }) => length < MIN_KEY_BYTES)) {
      throw new RangeError(`A session key needs at least ${MIN_KEY_BYTES} bytes`);
    }
    // The runtime prepares a key object once; from bytes it makes one for each signature.
    this.#key = createSecretKey(key);
    this.#keys = keys.map((bytes) => createSecretKey(bytes));
  }

  /** Creates the id of a new session: 36 hexadecimal characters, 48 with an owner. */
  issue({ revision, features, issuedAt, owner }: SessionFacts): string {
    const { mark, signedBytes } = owner === '' ? ANONYMOUS_LAYOUT : OWNED_LAYOUT;
    const token = Buffer.alloc(signedBytes + SIGNATURE_BYTES);
    copyNonce(token);
    token.writeUInt8(mark | Math.max(0, REVISIONS.indexOf(revision)), REVISION_AT);
    token.writeUInt8(features, FEATURES_AT);
    token.writeUInt32BE(Math.floor(issuedAt / SECOND_MS), TIME_AT);
    if (owner !== '') token.write(owner, OWNER_AT, 'hex');
    computeSignature(token, this.#key).copy(token, signedBytes);
    return token.toString('hex');
  }

  /** Returns the owner of the sessions of a principal, by the key of the principal; empty for the anonymous one. */
  computeOwner(principalKey: string): string {
    return computeOwner(this.#key, principalKey);
  }

  /** Returns whether an owner is the one of a principal, under any of the keys. */
  isOwner(owner: string, principalKey: string): boolean {
    return this.#keys.some((key) => owner === computeOwner(key, principalKey));
  }

  /** Reads an id; `undefined` for everything that was not issued under this key. */
  read(id: string): SessionFacts | undefined {
    // The length first: an expression over a text of megabytes takes time.
    if (id.length > MAX_CHARS || !TOKEN.test(id)) return undefined;
    const token = Buffer.from(id, 'hex');
    const signedBytes = token.length - SIGNATURE_BYTES;
    const isOwned = signedBytes === OWNED_LAYOUT.signedBytes;
    const { mark } = isOwned ? OWNED_LAYOUT : ANONYMOUS_LAYOUT;
    const revision = REVISIONS[token.readUInt8(REVISION_AT) - mark];
    const signature = token.subarray(signedBytes);
    const isSigned = this.#keys.some((key) =>
      timingSafeEqual(signature, computeSignature(token, key)),
    );
    if (!isSigned || revision === undefined) return undefined;
    return {
      revision,
      features: token.readUInt8(FEATURES_AT),
      issuedAt: token.readUInt32BE(TIME_AT) * SECOND_MS,
      owner: token.toString('hex', OWNER_AT, signedBytes),
    };
  }
}

/** Random bytes for many ids: a call of the generator costs as much as a signature. No byte is used twice. */
const nonces = Buffer.alloc(NONCE_BYTES * 512);
let nextNonce = nonces.length;

const copyNonce = (token: Buffer): void => {
  if (nextNonce === nonces.length) {
    randomFillSync(nonces);
    nextNonce = 0;
  }
  nonces.copy(token, 0, nextNonce, nextNonce + NONCE_BYTES);
  nextNonce += NONCE_BYTES;
};

const computeSignature = (token: Buffer, key: KeyObject): Buffer =>
  createHmac('sha256', key)
    .update('session\0')
    .update(token.subarray(0, token.length - SIGNATURE_BYTES))
    .digest()
    .subarray(0, SIGNATURE_BYTES);

const computeOwner = (key: KeyObject, principalKey: string): string => {
  if (principalKey === ANONYMOUS.key) return '';
  const digest = createHmac('sha256', key).update('session owner\0').update(principalKey);
  return digest.digest('hex').slice(0, 2 * OWNER_BYTES);
};
