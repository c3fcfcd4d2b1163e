import { readSecretFile } from './read-secret-file.ts';
import { secretFileProblemText } from './secret-file-problem.ts';

/** A key of a Secret or ConfigMap. */
interface FileReference {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly key: string;
}

type FileText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'pending' | 'absent' | 'unreadable';
      readonly reason: string;
    };

const FOLDERS = { Secret: 'secrets', ConfigMap: 'configMaps' } as const;
/** The names and keys of Kubernetes objects. Such a text cannot change the path. */
const PART = /^(?!\.\.?$)[-._a-zA-Z0-9]{1,253}$/u;
/** Files are read this often, because not every file system reports changes. */
const INTERVAL_MS = 1_000;
const MAX_FILES = 1_024;

const pathOf = ({ kind, name, key }: FileReference): string => `${FOLDERS[kind]}/${name}/${key}`;

const readText = async (
  directory: string,
  { kind, name, key }: FileReference,
): Promise<FileText> => {
  if (!PART.test(name) || !PART.test(key))
    return { ok: false, code: 'unreadable', reason: `${kind} has no valid name or key` };
  const folder = `${FOLDERS[kind]}/${name}`;
  const file = await readSecretFile({ directory, folder, key, isPrivate: kind === 'Secret' });
  if (file.ok) return file;
  const { problem } = file;
  const code = problem.code === 'secret.absent' ? 'absent' : 'unreadable';
  return { ok: false, code, reason: secretFileProblemText(problem) };
};

const isSame = (a: FileText | undefined, b: FileText): boolean =>
  a !== undefined && (a.ok ? b.ok && a.text === b.text : !b.ok && a.reason === b.reason);

/** The files of Secrets and ConfigMaps, read again every second. */
class FileReferences {
  readonly #directory: string;
  readonly #listeners = new Set<() => void>();
  #followed = new Map<string, { readonly reference: FileReference; text?: FileText }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  readonly follow = async (references: readonly FileReference[]): Promise<void> => {
    const before = this.#followed;
    const wanted = new Map(references.map((reference) => [pathOf(reference), reference] as const));
    this.#followed = new Map(
      [...wanted]
        .slice(0, MAX_FILES)
        .map(([path, reference]) => [path, before.get(path) ?? { reference }]),
    );
    clearTimeout(this.#timer);
    await this.#readAll();
  };

  readonly read = (reference: FileReference): FileText => {
    const path = pathOf(reference);
    const followed = this.#followed.get(path);
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

  readonly close = (): void => {
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#followed = new Map();
  };

  async #readAll(): Promise<void> {
    const followed = this.#followed;
    let isChanged = false;
    for (const entry of followed.values()) {
      const text = await readText(this.#directory, entry.reference);
      if (!isSame(entry.text, text)) isChanged = true;
      entry.text = text;
    }
    if (this.#followed !== followed || followed.size === 0) return;
    if (isChanged) for (const listener of [...this.#listeners]) listener();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readAll(), INTERVAL_MS).unref();
  }
}

/**
 * Returns the values of Secrets and ConfigMaps in file mode: the content of `secrets/<name>/<key>` and `configMaps/<name>/<key>` in the
 * configuration directory, whatever the namespace. A file of a Secret must be private.
 */
export const createFileReferences = ({
  directory,
}: {
  /** The configuration directory. */
  readonly directory: string;
}): Pick<FileReferences, 'follow' | 'read' | 'subscribe' | 'close'> =>
  new FileReferences(directory);
