/** A `SKILL.md` in a repository. */
export interface SkillFile {
  /** Its folder; empty for the root. */
  readonly folder: string;
  /** The hash of its content. */
  readonly sha: string;
  readonly size: number;
}

/** The files of a repository that hold skills. */
export interface SkillFiles {
  readonly files: readonly SkillFile[];
  /** The listing of the host is incomplete. */
  readonly isTruncated: boolean;
}

const FILE = /^(?:(.+)\/)?SKILL\.md$/u;
const SHA = /^[0-9a-f]{40,64}$/u;
const MAX_PATH_CHARS = 1024;
const LINK_MODE = '120000';

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the folder of a path of a skill. */
const folderOf = (path: unknown): string | undefined => {
  if (typeof path !== 'string' || path.length > MAX_PATH_CHARS) return undefined;
  const match = FILE.exec(path);
  return match === null ? undefined : (match[1] ?? '');
};

const skillFile = (entry: unknown): readonly SkillFile[] => {
  if (!isMap(entry) || entry['type'] !== 'blob' || entry['mode'] === LINK_MODE) return [];
  const { sha, size } = entry;
  const folder = folderOf(entry['path']);
  return folder === undefined || typeof sha !== 'string' || !SHA.test(sha)
    ? []
    : [{ folder, sha, size: typeof size === 'number' ? size : 0 }];
};

const byFolder = (a: SkillFile, b: SkillFile): number =>
  a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0;

/** Parses the file listing of a Git host; returns undefined when it is invalid. */
export const gitSkillFiles = (json: unknown): SkillFiles | undefined => {
  if (!isMap(json) || !Array.isArray(json['tree'])) return undefined;
  return {
    files: json['tree'].flatMap(skillFile).sort(byFolder),
    isTruncated: json['truncated'] === true,
  };
};
