import type { OpenedReleases } from '../opened-releases.ts';

export interface ReleaseDirectoryOptions {
  /** Absolute path of the directory; made when it is not there. */
  readonly directory: string;
  /** Managed namespaces; the first is that of model configurations that name none. */
  readonly namespaces: readonly [string, ...string[]];
  /** Told of files that are passed over, as a sentence that names the file. Must not throw. */
  readonly onWarning?: (sentence: string) => void;
}

// PLACEHOLDER until its owner writes it: see the brief.
export const openReleaseDirectory = (options: ReleaseDirectoryOptions): Promise<OpenedReleases> =>
  Promise.resolve({ ok: false, problem: `${options.directory} cannot be opened` });
