import { isAbsolute, posix } from 'node:path';
import type { SecretReference, SecretSource } from '../ports/credentials.ts';
import {
  readSecretFile,
  type SecretFileProblem,
  formatSecretFileProblem,
} from './read-secret-file.ts';

type FollowedText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'pending' | 'absent' | 'unreadable';
      readonly reason: string;
    };

interface FollowedSource<Reference> {
  /** The path, for messages and as the identity of a reference. */
  readonly formatPath: (reference: Reference) => string;
  readonly read: (reference: Reference) => Promise<FollowedText>;
}

/** Files are read this often, because not every file system reports changes. */
const INTERVAL_MS = 1_000;
const MAX_FILES = 1_024;

const isSame = (a: FollowedText | undefined, b: FollowedText): boolean =>
  a !== undefined && (a.ok ? b.ok && a.text === b.text : !b.ok && a.reason === b.reason);

class FollowedTexts<Reference> {
  readonly #source: FollowedSource<Reference>;
  readonly #listeners = new Set<() => void>();
  #followed = new Map<string, { readonly reference: Reference; text?: FollowedText }>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(source: FollowedSource<Reference>) {
    this.#source = source;
  }

  /** Follows these references only. Resolves when each was read once. */
  readonly follow = async (references: readonly Reference[]): Promise<void> => {
    if (this.#isClosed) return;
    const before = this.#followed;
    const wanted = new Map(
      references.map((reference) => [this.#source.formatPath(reference), reference] as const),
    );
    this.#followed = new Map(
      [...wanted]
        .slice(0, MAX_FILES)
        .map(([path, reference]) => [path, before.get(path) ?? { reference }]),
    );
    clearTimeout(this.#timer);
    await this.#readAll();
  };

  readonly read = (reference: Reference): FollowedText => {
    const path = this.#source.formatPath(reference);
    const followed = this.#followed.get(path);
    if (this.#isClosed)
      return { ok: false, code: 'pending', reason: `the file ${path} is not read any more` };
    if (followed === undefined)
      return {
        ok: false,
        code: 'unreadable',
        reason: `the file ${path} is not read, because servers name more than ${String(MAX_FILES)} files`,
      };
    return (
      followed.text ?? {
        ok: false,
        code: 'pending',
        reason: `the file ${path} was not read yet`,
      }
    );
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  /** Ends all reading; afterwards every text is pending. */
  readonly close = (): void => {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#followed = new Map();
  };

  async #readAll(): Promise<void> {
    const followed = this.#followed;
    let isChanged = false;
    for (const entry of followed.values()) {
      const text = await this.#source.read(entry.reference);
      if (!isSame(entry.text, text)) isChanged = true;
      entry.text = text;
    }
    if (this.#followed !== followed || followed.size === 0) return;
    if (isChanged) for (const listener of [...this.#listeners]) listener();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readAll(), INTERVAL_MS).unref();
  }
}

interface FileReference {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly key: string;
}

const FOLDERS = { Secret: 'secrets', ConfigMap: 'configMaps' } as const;
/** The names and keys of Kubernetes objects. Such a text cannot change the path. */
const PART = /^(?!\.\.?$)[-._a-zA-Z0-9]{1,253}$/u;

const formatPath = ({ kind, name, key }: FileReference): string =>
  `${FOLDERS[kind]}/${name}/${key}`;

const createReadFailure = (problem: SecretFileProblem): FollowedText => ({
  ok: false,
  code: problem.code === 'secret.absent' ? 'absent' : 'unreadable',
  reason: formatSecretFileProblem(problem),
});

const readReference = async (
  directory: string,
  { kind, name, key }: FileReference,
): Promise<FollowedText> => {
  if (!PART.test(name) || !PART.test(key))
    return { ok: false, code: 'unreadable', reason: `${kind} has no valid name or key` };
  const folder = `${FOLDERS[kind]}/${name}`;
  const file = await readSecretFile({ directory, folder, key, isPrivate: kind === 'Secret' });
  return file.ok ? file : createReadFailure(file.problem);
};

/** Returns the content of `secrets/<name>/<key>` and `configMaps/<name>/<key>` in the configuration directory. A file of a Secret must be private. */
export const createFileReferences = ({
  directory,
}: {
  readonly directory: string;
}): Pick<FollowedTexts<FileReference>, 'follow' | 'read' | 'subscribe' | 'close'> =>
  new FollowedTexts({ formatPath, read: (reference) => readReference(directory, reference) });

/** The folder whose files must be private. */
const SECRETS_PREFIX = 'secrets/';

const readPath = async (configuration: string, path: string): Promise<FollowedText> => {
  const normal = posix.normalize(path);
  const isRooted = isAbsolute(path);
  const file = await readSecretFile({
    directory: isRooted ? '/' : configuration,
    folder: posix.dirname(isRooted ? normal.slice(1) : normal),
    key: posix.basename(normal),
    isPrivate: normal.startsWith(SECRETS_PREFIX),
  });
  if (file.ok) return file;
  const problem = { ...file.problem, path };
  return createReadFailure(problem);
};

/** Returns the texts of files, relative to the configuration directory, each read again every second. A file in `secrets` must be private. */
export const createFollowedFiles = ({
  directory,
}: {
  readonly directory: string;
}): Pick<FollowedTexts<string>, 'follow' | 'read' | 'subscribe' | 'close'> =>
  new FollowedTexts({ formatPath: (path) => path, read: (path) => readPath(directory, path) });

const FOLDER = 'secrets';
const MAX_SHOWN_CHARS = 64;

const nameProblem = (ref: SecretReference): SecretFileProblem | undefined => {
  const part = (['name', 'key'] as const).find((each) => !PART.test(ref[each]));
  return part === undefined
    ? undefined
    : { code: 'secret.name', part, value: ref[part].slice(0, MAX_SHOWN_CHARS) };
};

/** The value of a key is the content of `secrets/<name>/<key>`, which is read by each call. @spec §2.6 clientCredentialsSecretRef */
export const createFileSecretSource = ({
  directory,
}: {
  readonly directory: string;
}): SecretSource => ({
  read: async (ref) => {
    const wrong = nameProblem(ref);
    if (wrong !== undefined) return { ok: false, reason: formatSecretFileProblem(wrong) };
    const { name, key } = ref;
    const file = await readSecretFile({ directory, folder: `${FOLDER}/${name}`, key });
    return file.ok
      ? { ok: true, value: file.text }
      : { ok: false, reason: formatSecretFileProblem(file.problem) };
  },
});
