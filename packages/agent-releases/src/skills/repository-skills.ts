import { isJsonObject } from '@gateway/call-contract';
import { readNestedValue, toNonBlankText } from '../values/lenient.ts';
import type { Result, SkillList } from '@gateway/agent-manager-client';
import { parseYaml } from '@gateway/files';
import type { LRUCache } from 'lru-cache';
import type { GitHost, HostAnswer, HostFailure } from './git-host.ts';

/** A Git repository that may hold skills, and where its host answers questions about it. */
export interface SkillRepository {
  /** The URL: `https://host/owner/name`. */
  readonly url: string;
  readonly owner: string;
  readonly name: string;
  /** The base URL of the REST API of the host, without a trailing slash. */
  readonly apiUrl: string;
}

/** A `SKILL.md` in a repository. */
interface SkillFile {
  /** Its folder; empty for the root. */
  readonly folder: string;
  /** The hash of its content. */
  readonly sha: string;
  readonly size: number;
}

/** The files of a repository that hold skills. */
interface SkillFiles {
  readonly files: readonly SkillFile[];
  /** The listing of the host is incomplete. */
  readonly isTruncated: boolean;
}

const FILE = /^(?:(.+)\/)?SKILL\.md$/u;
const SHA = /^[0-9a-f]{40,64}$/u;
const MAX_PATH_CHARS = 1024;
const LINK_MODE = '120000';

/** Returns the folder of a path of a skill. */
const findFolder = (path: unknown): string | undefined => {
  if (typeof path !== 'string' || path.length > MAX_PATH_CHARS) return undefined;
  const match = FILE.exec(path);
  return match === null ? undefined : (match[1] ?? '');
};

const parseSkillFile = (entry: unknown): readonly SkillFile[] => {
  if (!isJsonObject(entry) || entry['type'] !== 'blob' || entry['mode'] === LINK_MODE) return [];
  const { sha, size } = entry;
  const folder = findFolder(entry['path']);
  return folder === undefined || typeof sha !== 'string' || !SHA.test(sha)
    ? []
    : [{ folder, sha, size: typeof size === 'number' ? size : 0 }];
};

const compareFolders = (a: SkillFile, b: SkillFile): number =>
  a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0;

/** Parses the file listing of a Git host; returns undefined when it is invalid. */
export const parseSkillFiles = (json: unknown): SkillFiles | undefined => {
  if (!isJsonObject(json) || !Array.isArray(json['tree'])) return undefined;
  return {
    files: json['tree'].flatMap(parseSkillFile).sort(compareFolders),
    isTruncated: json['truncated'] === true,
  };
};

/** The maximum length of the name of a skill, in characters. */
const MAX_SKILL_NAME_CHARS = 64;
/** The maximum length of the description of a skill, in characters. */
const MAX_SKILL_DESCRIPTION_CHARS = 1024;

/** The maximum length of a front matter, in characters. */
const MAX_FRONT_MATTER_CHARS = 16_384;

/** The metadata of a `SKILL.md`. */
export interface SkillText {
  readonly name?: string;
  readonly description?: string;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;

const TORN = /[\ud800-\udbff]$/;

/** Matches a key of the front matter with its value: the rest of its line, and the indented or blank lines below. */
const ENTRY = /^(name|description):(?=[ \t]|\r?$)(.*(?:\n(?:[ \t].*)?)*)/gmu;

/** The maximum number of characters of a value that are read. */
const MAX_VALUE_CHARS = 4096;

const parseText = (yaml: string): string | undefined => {
  if (yaml.length > MAX_VALUE_CHARS) return undefined;
  const parsed = parseYaml(`value:${yaml}`);
  const value = parsed.ok
    ? (parsed.value as { readonly value?: unknown } | null)?.value
    : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

const truncateText = (text: string | undefined, maxChars: number): string | undefined =>
  text?.slice(0, maxChars).replace(TORN, '');

/** Parses the front matter of a `SKILL.md`. A missing or invalid one gives no metadata; the skill still exists. */
export const parseSkillText = (text: string): SkillText => {
  const yaml = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS))?.[1] ?? '';
  const entries = new Map([...yaml.matchAll(ENTRY)].map(([, key, value]) => [key, value ?? '']));
  const name = truncateText(parseText(entries.get('name') ?? ''), MAX_SKILL_NAME_CHARS);
  const description = truncateText(
    parseText(entries.get('description') ?? ''),
    MAX_SKILL_DESCRIPTION_CHARS,
  );
  return { ...(name && { name }), ...(description && { description }) };
};

/** The most skills of one repository. */
export const MAX_SKILLS = 500;

/** The maximum size of a `SKILL.md` that is read, in bytes; a larger file is listed without its text. */
const MAX_SKILL_BYTES = 262_144;
/** The maximum size of a listing of all files, and of the metadata of a repository, in bytes. */
const MAX_TREE_BYTES = 16_777_216;
const MAX_REPOSITORY_BYTES = 1_048_576;
/** The maximum number of concurrent reads in a repository. */
const MAX_AT_ONCE = 6;

type Skill = SkillList['skills'][number];

/** The reason why the skills of a repository cannot be listed. */
export type RepositoryFailure =
  | HostFailure
  | { readonly kind: 'noRef' }
  | { readonly kind: 'tooManyFiles' }
  | { readonly kind: 'tooManySkills' };

/** The skills of a repository, or the reason why they cannot be listed. */
type RepositoryAnswer = Result<readonly Skill[], RepositoryFailure>;

/** The dependencies of listing a repository. */
interface RepositoryReader {
  readonly host: GitHost;
  /** Parsed files by the hash of their content, which never expire. */
  readonly texts: LRUCache<string, SkillText>;
  readonly signal: AbortSignal;
}

const decodeBlob = (blob: unknown): string | undefined => {
  const content = toNonBlankText(readNestedValue(blob, 'content'));
  if (content === undefined)
    return toNonBlankText(readNestedValue(blob, 'encoding')) === undefined ? undefined : '';
  return toNonBlankText(readNestedValue(blob, 'encoding')) === 'base64'
    ? Buffer.from(content, 'base64').toString('utf8')
    : content;
};

const readSkillText = async (
  { host, texts, signal }: RepositoryReader,
  base: string,
  { sha, size }: SkillFile,
): Promise<HostAnswer<SkillText>> => {
  const known = texts.get(sha);
  if (known !== undefined) return { ok: true, value: known };
  if (size > MAX_SKILL_BYTES) return { ok: true, value: {} };
  const text = await host.ask({
    url: `${base}/git/blobs/${sha}`,
    // Base64 and the other fields make it longer.
    maxBytes: 2 * MAX_SKILL_BYTES,
    read: decodeBlob,
    signal,
  });
  if (!text.ok) return text;
  const parsed = parseSkillText(text.value);
  texts.set(sha, parsed);
  return { ok: true, value: parsed };
};

const createSkill = (
  repository: SkillRepository,
  ref: string,
  { folder }: SkillFile,
  { name, description }: SkillText,
): Skill => ({
  name: name ?? (folder === '' ? repository.name : folder.slice(folder.lastIndexOf('/') + 1)),
  ...(description !== undefined && { description }),
  repository: repository.url,
  ref,
  path: folder,
});

/** Reads the files with bounded concurrency, and stops after the first failure. */
const readSkills = async (
  reader: RepositoryReader,
  repository: SkillRepository,
  { base, ref, files }: { base: string; ref: string; files: readonly SkillFile[] },
): Promise<RepositoryAnswer> => {
  const skills: Skill[] = [];
  for (let from = 0; from < files.length; from += MAX_AT_ONCE) {
    const some = files.slice(from, from + MAX_AT_ONCE);
    const texts = await Promise.all(some.map((file) => readSkillText(reader, base, file)));
    for (const [index, text] of texts.entries()) {
      if (!text.ok) return text;
      const file = some[index];
      if (file !== undefined) skills.push(createSkill(repository, ref, file, text.value));
    }
  }
  return { ok: true, value: skills };
};

const isAbsent = (failure: HostFailure): boolean =>
  failure.kind === 'status' && (failure.status === 404 || failure.status === 422);

const isEmpty = (failure: HostFailure): boolean =>
  failure.kind === 'status' && failure.status === 409;

/** Lists the skills of a repository: every folder with a `SKILL.md`, by path. Without a ref those of its default branch. */
export const listRepositorySkills = async (
  reader: RepositoryReader,
  repository: SkillRepository,
  givenRef: string | undefined,
): Promise<RepositoryAnswer> => {
  const { host, signal } = reader;
  const base = `${repository.apiUrl}/repos/${repository.owner}/${repository.name}`;
  const branch = await host.ask({
    url: base,
    maxBytes: MAX_REPOSITORY_BYTES,
    read: (json) => toNonBlankText(readNestedValue(json, 'default_branch')),
    signal,
  });
  if (!branch.ok) return branch;
  const ref = givenRef ?? branch.value;
  const tree = await host.ask({
    url: `${base}/git/trees/${encodeURIComponent(ref)}?recursive=1`,
    maxBytes: MAX_TREE_BYTES,
    read: parseSkillFiles,
    signal,
  });
  if (!tree.ok) {
    if (isEmpty(tree.error)) return { ok: true, value: [] };
    return isAbsent(tree.error) ? { ok: false, error: { kind: 'noRef' } } : tree;
  }
  const { files, isTruncated } = tree.value;
  if (isTruncated) return { ok: false, error: { kind: 'tooManyFiles' } };
  if (files.length > MAX_SKILLS) return { ok: false, error: { kind: 'tooManySkills' } };
  return readSkills(reader, repository, { base, ref, files });
};
