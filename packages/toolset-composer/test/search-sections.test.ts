import { describe, expect, it } from 'vitest';
import { readTools } from '../src/catalog-tool.ts';
import { createCatalogSections, parseServers } from '../src/catalog-sections.ts';
import { searchSections, listServersToSignIn } from '../src/filter-catalog.ts';

const tool = (name: string, server: string, description = ''): object => ({
  name,
  kind: 'tool',
  server,
  description,
});

const SECTIONS = createCatalogSections({
  tools: readTools({
    tools: [
      tool('x_files_read', 'files', 'Reads a file'),
      tool('x_files_delete', 'files', 'Removes a file'),
      tool('x_time_now', 'time', 'Reads the clock'),
      { name: 'workflow_triage', kind: 'workflow', description: 'Reads incidents' },
    ],
  }),
  servers: parseServers({ mcpServers: [{ name: 'crm', family: { name: 'sales' } }] }),
  requiringAuth: new Set(['crm', 'mail']),
});

const outline = (query: string): unknown =>
  searchSections(SECTIONS, query).flatMap(({ rows }) =>
    rows.map(({ name, tools }) => [name, ...tools.map((found) => found.name)]),
  );

describe('a search in the catalog', () => {
  it('finds tools by name and description, in any case', () => {
    expect(outline('READS')).toEqual([
      ['files', 'x_files_read'],
      ['time', 'x_time_now'],
      ['', 'workflow_triage'],
    ]);
    expect(outline('reads clock')).toEqual([['time', 'x_time_now']]);
  });

  it('keeps all tools of a row that is found by its name', () => {
    expect(outline('files')).toEqual([['files', 'x_files_delete', 'x_files_read']]);
    expect(outline('mail')).toEqual([['mail']]);
  });

  it('returns everything without a word, and nothing without a match', () => {
    expect(searchSections(SECTIONS, '  ')).toBe(SECTIONS);
    expect(outline('reads nothing-like-this')).toEqual([]);
  });
});

describe('the servers to sign in to', () => {
  it('are those of the server or family that a selector names', () => {
    expect(listServersToSignIn(SECTIONS, ['server:sales'])).toEqual(['crm']);
    expect(listServersToSignIn(SECTIONS, ['server:files'])).toEqual([]);
    expect(listServersToSignIn(SECTIONS, [])).toEqual([]);
  });

  it('are those whose tools a selector can name', () => {
    expect(listServersToSignIn(SECTIONS, ['tool:x_mail_send'])).toEqual(['mail']);
    expect(listServersToSignIn(SECTIONS, ['tool:x_other_send'])).toEqual([]);
  });

  it('are all of them for a preset', () => {
    expect(listServersToSignIn(SECTIONS, ['preset:read-only'])).toEqual(['mail', 'crm']);
  });
});
