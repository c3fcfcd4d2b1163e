import { parseYaml } from '@gateway/files';

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

const parsedText = (yaml: string): string | undefined => {
  if (yaml.length > MAX_VALUE_CHARS) return undefined;
  const parsed = parseYaml(`value:${yaml}`);
  const value = parsed.ok
    ? (parsed.value as { readonly value?: unknown } | null)?.value
    : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

const cut = (text: string | undefined, maxChars: number): string | undefined =>
  text?.slice(0, maxChars).replace(TORN, '');

/** Parses the front matter of a `SKILL.md`. A missing or invalid one gives no metadata; the skill still exists. */
export const parseSkillText = (text: string): SkillText => {
  const yaml = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS))?.[1] ?? '';
  const entries = new Map([...yaml.matchAll(ENTRY)].map(([, key, value]) => [key, value ?? '']));
  const name = cut(parsedText(entries.get('name') ?? ''), MAX_SKILL_NAME_CHARS);
  const description = cut(
    parsedText(entries.get('description') ?? ''),
    MAX_SKILL_DESCRIPTION_CHARS,
  );
  return { ...(name && { name }), ...(description && { description }) };
};
