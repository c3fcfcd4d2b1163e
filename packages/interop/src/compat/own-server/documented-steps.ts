import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../places.ts';

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
function pageBlocks(name: string): ReadonlyMap<string, readonly PageBlock[]> {
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

const PAGE = 'docs/quick-start.md';
const SETUP = 'Get the command';
/** The sections of the page up to the first call of a server, and those after it. */
const SECTIONS = {
  first: ['Create a configuration', 'Add the server', 'Serve and call'],
  further: ['More servers', 'Connect a client'],
} as const;
/** The file that the program on the page is saved as. */
const PROGRAM = 'server.mjs';

/** A step of the quick start: a file that a person saves, or a command with a part of its output. */
export type DocumentedStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly prints: string };

/** Returns the lines that make `gateway` a command: from a clone, or with `npx`. @throws when the page does not have both */
export function setupLines(way: 'clone' | 'npx'): readonly string[] {
  const [clone, npx, ...others] = blocksOf(SETUP).filter(({ language }) => language === 'text');
  if (clone === undefined || npx === undefined || others.length > 0)
    throw new Error(`${PAGE}: ${SETUP} has not two blocks of commands`);
  return (way === 'clone' ? clone : npx).text.split('\n');
}

/** Returns the steps from an empty folder to the first call of a server, or those after it. @throws when a command has no output */
export const documentedSteps = (part: keyof typeof SECTIONS): readonly DocumentedStep[] =>
  SECTIONS[part].flatMap((title) => stepsOf(blocksOf(title)));

function blocksOf(title: string): readonly PageBlock[] {
  const blocks = pageBlocks(PAGE).get(title);
  if (blocks === undefined) throw new Error(`${PAGE} has no section ${title}`);
  return blocks;
}

const stepsOf = (blocks: readonly PageBlock[]): readonly DocumentedStep[] =>
  blocks.flatMap(({ language, text }, index): readonly DocumentedStep[] => {
    if (language === 'js') return [{ kind: 'file', name: PROGRAM, text: `${text}\n` }];
    if (language !== 'sh') return [];
    const output = blocks[index + 1];
    if (output?.language !== 'text') throw new Error(`${PAGE}: "${text}" has no output`);
    return [{ kind: 'command', command: text, prints: output.text }];
  });
