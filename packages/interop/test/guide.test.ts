import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findGuideBlock, listGuideBlocks } from '../src/compat/own-server.ts';
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
  'LangChain',
  'OpenAI Agents SDK',
  'Pydantic AI',
  'mcp-go',
  'Rust SDK (rmcp)',
];

describe('docs/clients.md', () => {
  const blocks = listGuideBlocks();

  it.each(CLIENTS)('has a block for %s', (title) => {
    expect(blocks.get(title)?.length).toBeGreaterThan(0);
  });

  it.each(SAMPLES)('shows the program for $title that is run', ({ title, file }) => {
    const shown = blocks.get(title)?.map(({ text }) => text);
    expect(shown).toEqual([readFileSync(file, 'utf8').trimEnd()]);
  });

  it('has no program that is not run', () => {
    const languages = new Set(['go', 'js', 'python', 'rust']);
    const titles = [...blocks].flatMap(([title, of]) =>
      of.some(({ language }) => languages.has(language)) ? [title] : [],
    );
    expect(titles).toEqual(SAMPLES.map(({ title }) => title));
  });

  it.each(CONFIGURED_PROGRAMS)('has the block that $title is run with', ({ title, block }) => {
    const url = 'http://127.0.0.1:1234/mcp';
    expect(findGuideBlock(title, block, url)).toContain(url);
  });
});
