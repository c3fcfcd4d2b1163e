import files, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => Promise<unknown>;

/** Halts the next writes at a step; resolves when they have come to it. */
export type HaltAtStep = (fatal: number) => Promise<void>;

/** Counts steps, and halts for ever instead of one of them. */
class Steps {
  taken = 0;
  fatal = Infinity;
  #halted = (): void => undefined;

  readonly take = async (): Promise<void> => {
    this.taken += 1;
    if (this.taken !== this.fatal) return;
    this.#halted();
    await new Promise(() => undefined);
  };

  readonly haltAt: HaltAtStep = (fatal) => {
    this.taken = 0;
    this.fatal = fatal;
    return new Promise((resolve) => {
      this.#halted = resolve;
    });
  };
}

/** Counts what is done to files that were opened to be written. */
const countHandleSteps = async (steps: Steps, writing: Set<FileHandle>): Promise<void> => {
  const probe = await files.open('/dev/null');
  const handles = Object.getPrototypeOf(probe) as Record<string, Call>;
  await probe.close();
  const wrap = (name: string, before: (handle: FileHandle, args: unknown[]) => unknown): void => {
    const original = handles[name];
    handles[name] = async function (this: FileHandle, ...args) {
      if (writing.has(this)) await before(this, args);
      return original?.apply(this, args);
    };
  };
  for (const name of ['chmod', 'sync']) wrap(name, steps.take);
  wrap('writeFile', async (handle, [text]) => {
    await steps.take();
    if (steps.taken + 1 === steps.fatal)
      await handle.write(String(text).slice(0, String(text).length / 2));
    await steps.take();
  });
};

const countOpening = (steps: Steps, writing: Set<FileHandle>): void => {
  const { open } = files;
  Object.assign(files, {
    open: async (...args: Parameters<typeof open>) => {
      const [, flags] = args;
      const isCounted = flags === 'wx';
      if (isCounted) await steps.take();
      const handle = await open(...args);
      if (isCounted) writing.add(handle);
      return handle;
    },
  });
};

/**
 * Makes this process able to halt for ever instead of the given step among those that change something: opening a new
 * file, writing (which is two steps, the first ending after half of the text), syncing, linking, renaming, deleting, making
 * a directory. A process that is killed while it halts has taken none of the steps from there on.
 */
export const installStepHalts = async (): Promise<HaltAtStep> => {
  const steps = new Steps();
  // Not weak: the file of a halted write stays open until its process is killed.
  const writing = new Set<FileHandle>();
  await countHandleSteps(steps, writing);
  countOpening(steps, writing);
  for (const name of ['link', 'rename', 'unlink', 'mkdir'] as const) {
    const original = files[name] as Call;
    Object.assign(files, {
      [name]: async (...args: unknown[]) => {
        await steps.take();
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
  return steps.haltAt;
};

/** Answers as a file system without hard links does. */
export const refuseLinks = (): void => {
  const link = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
  Object.assign(files, { link });
  syncBuiltinESMExports();
};
