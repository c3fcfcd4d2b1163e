import {
  acquireFileLock,
  createFileAtomically,
  mergePatch,
  parseYaml,
  readTextFile,
  replaceFileAtomically,
  rewriteYaml,
  type Mapping,
} from '@gateway/durable-files';

const OPTIONS = { mode: 0o666, isDurable: true };

/** Changes a YAML file under a lock. Comments and the layout of other keys stay unchanged. */
export const changeSetting = async (file: string, patch: Mapping): Promise<string> => {
  const lock = await acquireFileLock(`${file}.lock`);
  if (!lock.ok) return `process ${String(lock.holder)} is changing ${file}`;
  try {
    const read = await readTextFile(file);
    if (read.kind === 'absent') {
      await createFileAtomically(file, rewriteYaml('', patch) ?? '', OPTIONS);
      return 'created';
    }
    const parsed = read.kind === 'text' ? parseYaml(read.text) : undefined;
    if (read.kind !== 'text' || parsed?.ok !== true) return `${file} cannot be read`;
    const text = rewriteYaml(read.text, mergePatch(parsed.value, patch) as Mapping);
    if (text === undefined) return `${file} cannot be changed`;
    await replaceFileAtomically(file, text, OPTIONS);
    return 'changed';
  } finally {
    await lock.release();
  }
};
