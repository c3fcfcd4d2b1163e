import { FollowedTexts, type FollowedText } from './followed-texts.ts';
import { readSecretFile } from './read-secret-file.ts';
import { secretFileProblemText } from './secret-file-problem.ts';

/** A key of a Secret or ConfigMap. */
interface FileReference {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly key: string;
}

const FOLDERS = { Secret: 'secrets', ConfigMap: 'configMaps' } as const;
/** The names and keys of Kubernetes objects. Such a text cannot change the path. */
const PART = /^(?!\.\.?$)[-._a-zA-Z0-9]{1,253}$/u;

const pathOf = ({ kind, name, key }: FileReference): string => `${FOLDERS[kind]}/${name}/${key}`;

const readText = async (
  directory: string,
  { kind, name, key }: FileReference,
): Promise<FollowedText> => {
  if (!PART.test(name) || !PART.test(key))
    return { ok: false, code: 'unreadable', reason: `${kind} has no valid name or key` };
  const folder = `${FOLDERS[kind]}/${name}`;
  const file = await readSecretFile({ directory, folder, key, isPrivate: kind === 'Secret' });
  if (file.ok) return file;
  const { problem } = file;
  const code = problem.code === 'secret.absent' ? 'absent' : 'unreadable';
  return { ok: false, code, reason: secretFileProblemText(problem) };
};

/**
 * Returns the values of Secrets and ConfigMaps in file mode: the content of `secrets/<name>/<key>` and `configMaps/<name>/<key>` in the
 * configuration directory, whatever the namespace. A file of a Secret must be private.
 */
export const createFileReferences = ({
  directory,
}: {
  /** The configuration directory. */
  readonly directory: string;
}): Pick<FollowedTexts<FileReference>, 'follow' | 'read' | 'subscribe' | 'close'> =>
  new FollowedTexts({ pathOf, read: (reference) => readText(directory, reference) });
