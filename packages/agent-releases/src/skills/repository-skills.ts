import type { SkillList } from '@gateway/agent-manager-client';
import type { LRUCache } from 'lru-cache';
import type { GitHost, HostAnswer, HostFailure } from './git-host.ts';
import { gitSkillFiles, type SkillFile } from './git-tree.ts';
import type { SkillRepository } from './skill-repository.ts';
import { parseSkillText, type SkillText } from './skill-text.ts';

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
export type RepositoryAnswer =
  | { readonly ok: true; readonly value: readonly Skill[] }
  | { readonly ok: false; readonly failure: RepositoryFailure };

/** The dependencies of listing a repository. */
export interface RepositoryReader {
  readonly host: GitHost;
  /** Parsed files by the hash of their content, which never expire. */
  readonly texts: LRUCache<string, SkillText>;
  readonly signal: AbortSignal;
}

const stringAt = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const text = (value as Readonly<Record<string, unknown>>)[key];
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const decoded = (blob: unknown): string | undefined => {
  const content = stringAt(blob, 'content');
  if (content === undefined) return stringAt(blob, 'encoding') === undefined ? undefined : '';
  return stringAt(blob, 'encoding') === 'base64'
    ? Buffer.from(content, 'base64').toString('utf8')
    : content;
};

const textOf = async (
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
    read: decoded,
    signal,
  });
  if (!text.ok) return text;
  const parsed = parseSkillText(text.value);
  texts.set(sha, parsed);
  return { ok: true, value: parsed };
};

const skillOf = (
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
const skillsOf = async (
  reader: RepositoryReader,
  repository: SkillRepository,
  { base, ref, files }: { base: string; ref: string; files: readonly SkillFile[] },
): Promise<RepositoryAnswer> => {
  const skills: Skill[] = [];
  for (let from = 0; from < files.length; from += MAX_AT_ONCE) {
    const some = files.slice(from, from + MAX_AT_ONCE);
    const texts = await Promise.all(some.map((file) => textOf(reader, base, file)));
    for (const [index, text] of texts.entries()) {
      if (!text.ok) return text;
      const file = some[index];
      if (file !== undefined) skills.push(skillOf(repository, ref, file, text.value));
    }
  }
  return { ok: true, value: skills };
};

const isAbsent = (failure: HostFailure): boolean =>
  failure.kind === 'status' && (failure.status === 404 || failure.status === 422);

const isEmpty = (failure: HostFailure): boolean =>
  failure.kind === 'status' && failure.status === 409;

/** Lists the skills of a repository: every folder with a `SKILL.md`, by path. Without a ref those of its default branch. */
export const repositorySkills = async (
  reader: RepositoryReader,
  repository: SkillRepository,
  givenRef: string | undefined,
): Promise<RepositoryAnswer> => {
  const { host, signal } = reader;
  const base = `${repository.apiUrl}/repos/${repository.owner}/${repository.name}`;
  const branch = await host.ask({
    url: base,
    maxBytes: MAX_REPOSITORY_BYTES,
    read: (json) => stringAt(json, 'default_branch'),
    signal,
  });
  if (!branch.ok) return branch;
  const ref = givenRef ?? branch.value;
  const tree = await host.ask({
    url: `${base}/git/trees/${encodeURIComponent(ref)}?recursive=1`,
    maxBytes: MAX_TREE_BYTES,
    read: gitSkillFiles,
    signal,
  });
  if (!tree.ok) {
    if (isEmpty(tree.failure)) return { ok: true, value: [] };
    return isAbsent(tree.failure) ? { ok: false, failure: { kind: 'noRef' } } : tree;
  }
  const { files, isTruncated } = tree.value;
  if (isTruncated) return { ok: false, failure: { kind: 'tooManyFiles' } };
  if (files.length > MAX_SKILLS) return { ok: false, failure: { kind: 'tooManySkills' } };
  return skillsOf(reader, repository, { base, ref, files });
};
