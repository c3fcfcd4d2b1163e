import { parseStateKey, type StateEncryptionKeys } from '@gateway/state-store';
import { readPrivateFile } from './read-private-file.ts';

/** Environment variable with the key that encrypts and decrypts. */
const KEY_VARIABLE = 'GATEWAY_STATE_KEY';
/** Environment variable with the key that only decrypts. */
const PREVIOUS_VARIABLE = 'GATEWAY_STATE_KEY_PREVIOUS';

/** Places of state keys. */
export interface StateKeyPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the key file. */
  readonly keyFile: string | undefined;
}

/** The keys, or one sentence that names the place and the remedy. */
export type StateKeys =
  | { readonly ok: true; readonly keys: StateEncryptionKeys }
  | { readonly ok: false; readonly problem: string };

/** A text that may be a key, and the name of its place. */
interface KeyText {
  readonly text: string;
  readonly source: string;
}

const MISSING =
  'state.store is redis, but there is no key that encrypts the state: set GATEWAY_STATE_KEY or state.keyFile, for example to the output of "openssl rand -base64 32"';

const parseKeys = (current: KeyText, previous: KeyText | undefined): StateKeys => {
  const key = parseStateKey(current.text, current.source);
  if (!key.ok) return key;
  const before = previous && parseStateKey(previous.text, previous.source);
  if (before?.ok === false) return before;
  return {
    ok: true,
    keys: { current: key.key, ...(before !== undefined && { previous: before.key }) },
  };
};

const keysOfFile = (path: string): StateKeys => {
  const file = readPrivateFile(path);
  if (!file.ok) return { ok: false, problem: `state.keyFile: ${path} ${file.reason}` };
  const [current = '', previous = ''] = file.lines;
  return parseKeys(
    { text: current, source: 'state.keyFile, first line' },
    previous === '' ? undefined : { text: previous, source: 'state.keyFile, second line' },
  );
};

/** Reads the state keys from the environment, otherwise from the key file. */
export const readStateKeys = ({ environment, keyFile }: StateKeyPlaces): StateKeys => {
  const current = environment[KEY_VARIABLE];
  if (!current)
    return keyFile === undefined ? { ok: false, problem: MISSING } : keysOfFile(keyFile);
  const previous = environment[PREVIOUS_VARIABLE];
  return parseKeys(
    { text: current, source: KEY_VARIABLE },
    previous ? { text: previous, source: PREVIOUS_VARIABLE } : undefined,
  );
};
