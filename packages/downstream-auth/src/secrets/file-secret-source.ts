import type { SecretReference, SecretSource } from '../ports/secret-source.ts';
import { readSecretFile } from './read-secret-file.ts';
import { secretFileProblemText, type SecretFileProblem } from './secret-file-problem.ts';

const FOLDER = 'secrets';
/** The names and keys of Kubernetes Secrets. Such a text cannot change the path. */
const PART = /^(?!\.\.?$)[-._a-zA-Z0-9]{1,253}$/u;
const MAX_SHOWN_CHARS = 64;

const nameProblem = (ref: SecretReference): SecretFileProblem | undefined => {
  const part = (['name', 'key'] as const).find((each) => !PART.test(ref[each]));
  return part === undefined
    ? undefined
    : { code: 'secret.name', part, value: ref[part].slice(0, MAX_SHOWN_CHARS) };
};

/**
 * Creates the source of Secrets in file mode: the value of a key is the content of the file `secrets/<name>/<key>` in the configuration
 * directory, whatever the namespace. Each call reads the file, so that a new secret needs no restart. @spec §2.6 clientCredentialsSecretRef
 */
export const createFileSecretSource = ({
  directory,
}: {
  /** The configuration directory. */
  readonly directory: string;
}): SecretSource => ({
  read: async (ref) => {
    const wrong = nameProblem(ref);
    if (wrong !== undefined) return { ok: false, reason: secretFileProblemText(wrong) };
    const { name, key } = ref;
    const file = await readSecretFile({ directory, folder: `${FOLDER}/${name}`, key });
    return file.ok
      ? { ok: true, value: file.text }
      : { ok: false, reason: secretFileProblemText(file.problem) };
  },
});
