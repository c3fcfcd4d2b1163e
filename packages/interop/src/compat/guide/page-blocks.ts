import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../install/places.ts';

/** The address and the folder that the blocks name. */
const PLACEHOLDERS = {
  url: 'http://127.0.0.1:8090/mcp',
  repository: '<repository>',
} as const;

/** A fenced block of code. */
export interface PageBlock {
  readonly language: string;
  readonly text: string;
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gmu;

/** Returns the blocks of a page, such as `docs/clients.md`, by the headings of their sections. */
export function pageBlocks(name: string): ReadonlyMap<string, readonly PageBlock[]> {
  const page = readFileSync(join(REPOSITORY, name), 'utf8');
  const sections = page.split(/^#{2,3} /mu).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n');
      const blocks = [...section.matchAll(BLOCK)].map(([, language = '', text = '']) => ({
        language,
        text: text.trimEnd(),
      }));
      return [title.trim(), blocks];
    }),
  );
}

/** Returns the blocks of `docs/clients.md`. */
export const guideBlocks = () => pageBlocks('docs/clients.md');

/** Returns the block of a section of `docs/clients.md` that contains a text, with the address of a gateway. @throws when there is none */
export function blockFor(title: string, contains: string, url: string): string {
  const found = guideBlocks()
    .get(title)
    ?.find(({ text }) => text.includes(contains));
  if (found === undefined) throw new Error(`docs/clients.md: ${title} has no block of ${contains}`);
  return found.text
    .replaceAll(PLACEHOLDERS.url, url)
    .replaceAll(PLACEHOLDERS.repository, REPOSITORY);
}
