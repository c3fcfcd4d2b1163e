import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findGuideBlock, listGuideBlocks } from '../src/compat/own-server.ts';
import { REPOSITORY } from '../src/gateway.ts';
import { CONFIGURED_PROGRAMS, SAMPLES } from '../src/compat/guide-run.ts';

/** The clients that the guide must have. */
const CLIENTS = [
  'Claude Desktop',
  'Claude Code',
  'Cursor',
  'VS Code',
  'Windsurf',
  'Codex',
  'Gemini CLI',
  'Zed',
  'JetBrains',
];

describe('docs/clients.md', () => {
  const blocks = listGuideBlocks();
  const page = readFileSync(join(REPOSITORY, 'docs/clients.md'), 'utf8');

  it.each(CLIENTS)('has a block for %s', (title) => {
    expect(blocks.get(title)?.length).toBeGreaterThan(0);
  });

  it.each(SAMPLES)('shows or links the program for $title that is run', ({ title, file }) => {
    const shown = blocks.get(title)?.map(({ text }) => text);
    if (shown !== undefined) expect(shown).toEqual([readFileSync(file, 'utf8').trimEnd()]);
    else expect(page).toContain(`[${title}](../${relative(REPOSITORY, file)})`);
  });

  it('has no program that is not run', () => {
    const languages = new Set(['go', 'js', 'python', 'rust']);
    const shown = [...blocks].flatMap(([title, of]) =>
      of.some(({ language }) => languages.has(language)) ? [title] : [],
    );
    const linked = [...page.matchAll(/^- \[([^\]]+)\]\(\.\.\/packages\/interop\//gmu)];
    const titles = [...shown, ...linked.map(([, title = '']) => title)];
    expect(titles.toSorted()).toEqual(SAMPLES.map(({ title }) => title).toSorted());
  });

  it.each(CONFIGURED_PROGRAMS)('has the block that $title is run with', ({ title, block }) => {
    const url = 'http://127.0.0.1:1234/mcp';
    expect(findGuideBlock(title, block, url)).toContain(url);
  });
});
