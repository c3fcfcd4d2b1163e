import {
  createFileAtomically,
  KeyedQueue,
  mergePatch,
  parseYaml,
  readTextFile,
  replaceFileAtomically,
  rewriteYaml,
  type Mapping,
} from '@gateway/files';

const OPTIONS = { mode: 0o666, isDurable: true };

const queue = new KeyedQueue();

/** Changes a YAML file, one change after the other. Comments and the layout of other keys stay unchanged. */
export const changeSetting = (file: string, patch: Mapping): Promise<string> =>
  queue.run(file, async () => {
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
  });
