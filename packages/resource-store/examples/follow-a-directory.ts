import { openFileStore, formatProblem } from '@gateway/resource-store';

/** Writes a line for every change of a directory until the returned function is called. */
export const follow = async (
  directory: string,
  write: (line: string) => void,
): Promise<() => Promise<void>> => {
  const store = await openFileStore({
    directory,
    onProblem: (problem) => {
      write(formatProblem(problem));
    },
  });
  const names = (): string =>
    store
      .current()
      .servers.map(({ metadata }) => metadata.name)
      .join(' ');
  write(`servers: ${names()}`);
  store.subscribe(() => {
    write(`servers: ${names()}`);
  });
  return store.close;
};
