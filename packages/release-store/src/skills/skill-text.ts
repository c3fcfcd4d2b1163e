import { parse } from 'yaml';

/** The most characters of a skill's name. */
export const MAX_SKILL_NAME_CHARS = 64;
/** The most characters of what a skill is for. */
export const MAX_SKILL_DESCRIPTION_CHARS = 1024;

/** The most characters of a front matter that is read. */
const MAX_FRONT_MATTER_CHARS = 16_384;

/** What a `SKILL.md` says about itself. */
export interface SkillText {
  readonly name?: string;
  readonly description?: string;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;

const TORN = /[\ud800-\udbff]$/;

const textAt = (value: unknown, key: string, maxChars: number): string | undefined => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const text = (value as Readonly<Record<string, unknown>>)[key];
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return text.trim().slice(0, maxChars).replace(TORN, '');
};

const parsed = (yaml: string): unknown => {
  try {
    return parse(yaml, { logLevel: 'silent', maxAliasCount: 0 });
  } catch {
    return undefined;
  }
};

/** Reads the front matter of a `SKILL.md`. One that is missing or cannot be read says nothing: the skill is there all the same. */
export const parseSkillText = (text: string): SkillText => {
  const yaml = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS))?.[1];
  if (yaml === undefined) return {};
  const said = parsed(yaml);
  const name = textAt(said, 'name', MAX_SKILL_NAME_CHARS);
  const description = textAt(said, 'description', MAX_SKILL_DESCRIPTION_CHARS);
  return { ...(name && { name }), ...(description && { description }) };
};
