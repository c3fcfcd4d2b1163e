import {
  type CatalogSection,
  createCatalogSections,
  EMPTY_COMPOSITION,
  parseServers,
  fromToolset,
  readTools,
} from '@gateway/toolset-composer';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { GroupRows } from '../src/step/catalog-choices.tsx';
import { ToolMarks } from '../src/tools/tool-list.tsx';

const markup = (page: ReactNode): string =>
  renderToStaticMarkup(<MantineProvider>{page}</MantineProvider>);

const list = <T,>(length: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at));

const sectionOf = (facts: {
  readonly tools?: readonly object[];
  readonly servers?: readonly object[];
  readonly auth?: readonly string[];
}): CatalogSection => {
  const [section] = createCatalogSections({
    tools: readTools({ tools: facts.tools ?? [] }),
    servers: parseServers({ mcpServers: facts.servers ?? [] }),
    requiringAuth: new Set(facts.auth),
  });
  if (section === undefined) throw new Error('no section');
  return section;
};

/** Shows a group with all its rows open, as during a search. */
const group = (section: CatalogSection, composition = EMPTY_COMPOSITION): string =>
  markup(
    <GroupRows
      section={section}
      isSearch
      choices={{
        composition,
        onChange: () => undefined,
        onSignIn: () => Promise.resolve({ message: '' }),
      }}
    />,
  );

const buttonsOf = (html: string): readonly string[] =>
  [...html.matchAll(/Show all [^<]*/gu)].map(([text]) => text);

const rowsOf = (html: string): number => (html.match(/aria-label="All tools of /gu) ?? []).length;

describe('a group of the catalog', () => {
  it('shows 20 rows, and all when a user asks', () => {
    const of = (count: number): string =>
      group(sectionOf({ servers: list(count, (at) => ({ name: `server-${at}` })) }));
    expect([rowsOf(of(20)), buttonsOf(of(20))]).toEqual([20, []]);
    expect([rowsOf(of(21)), buttonsOf(of(21))]).toEqual([20, ['Show all 21 servers']]);
  });

  it('calls its rows groups where they are prefixes of workflows', () => {
    const tools = list(42, (at) => ({
      name: `workflow_p${Math.floor(at / 2)}-${at}`,
      kind: 'workflow',
    }));
    expect(buttonsOf(group(sectionOf({ tools })))).toEqual(['Show all 21 groups']);
  });

  it('shows 20 tools of a row, and all when a user asks', () => {
    const of = (count: number): string =>
      group(
        sectionOf({
          tools: list(count, (at) => ({ name: `x_a_${at}`, kind: 'tool', server: 'a' })),
        }),
      );
    expect(buttonsOf(of(20))).toEqual([]);
    expect(buttonsOf(of(21))).toEqual(['Show all 21 tools']);
  });
});

describe('a row of the catalog', () => {
  const WARNING = 'These tools administer the gateway';

  it('of core tools warns, and cannot be chosen as a whole', () => {
    const core = group(sectionOf({ tools: [{ name: 'core_events', kind: 'core' }] }));
    expect(core).toContain('Platform administration');
    expect(core).toContain(WARNING);
    expect(rowsOf(core)).toBe(0);
    const server = group(sectionOf({ servers: [{ name: 'files' }] }));
    expect(server).not.toContain(WARNING);
    expect(rowsOf(server)).toBe(1);
  });

  it('of a server that needs a sign-in can be chosen without one', () => {
    const section = sectionOf({ auth: ['mail'] });
    expect(group(section)).toContain('The whole server can be selected without one.');
    expect(group(section)).toContain('Sign in to mail');
    const chosen = group(section, fromToolset(['server:mail']));
    expect(chosen).toContain('selected without a sign-in');
    expect(chosen).not.toContain('The whole server can be selected without one.');
  });
});

describe('the mark of a tool', () => {
  const markOf = (annotations: object): string | undefined => {
    const [tool] = readTools({ tools: [{ name: 'a', kind: 'tool', annotations }] });
    if (tool === undefined) throw new Error('no tool');
    return /Read-only|Destructive/u.exec(markup(<ToolMarks tool={tool} />))?.[0];
  };

  it('is what the tool says, and nothing where it says nothing', () => {
    expect(markOf({ readOnlyHint: true, destructiveHint: true })).toBe('Read-only');
    expect(markOf({ destructiveHint: true })).toBe('Destructive');
    expect(markOf({ destructiveHint: false })).toBeUndefined();
    expect(markOf({})).toBeUndefined();
  });
});
