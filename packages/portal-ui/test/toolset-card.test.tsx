import { MantineProvider } from '@mantine/core';
import {
  parseResolution,
  type DeclaredAccess,
  type ResolutionState,
} from '@gateway/toolset-composer';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ToolsetCard } from '../src/index.ts';
import { requirement } from './requirement.ts';

const IDLE = parseResolution({ kind: 'idle' });

const markup = (declared: DeclaredAccess, resolution: ResolutionState = IDLE): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <ToolsetCard declared={declared} resolution={resolution} />
    </MantineProvider>,
  );

requirement('9.2/portal-toolset-card', () => {
  it('says that an agent has no tools', () => {
    expect(markup({ access: 'none' })).toContain('No tools');
    expect(markup({ access: 'toolset', toolset: ['preset:none'] })).toContain('No tools');
    expect(markup({ access: 'toolset', toolset: ['server:a'] })).not.toContain('No tools');
  });

  it('warns about implicit and about declared full access', () => {
    expect(markup({ access: 'implicit-full' })).toContain('Implicit full access');
    const full = markup({ access: 'toolset', toolset: ['preset:full'] });
    expect(full).toContain('Full gateway access');
    expect(full).not.toContain('Implicit full access');
  });

  it('strikes through the selectors that match nothing for the reader', () => {
    const toolset = ['server:a', 'server:b'];
    const answer = { toolset, tools: [], total: 0, toolset_unmatched: ['server:b'] };
    const card = markup(
      { access: 'toolset', toolset },
      parseResolution({ kind: 'answered', answer }),
    );
    expect(card).toContain('(matches nothing for you)');
    expect(card.match(/line-through/g)).toHaveLength(1);
    expect(card).toContain('Resolves to, for you (0)');
  });
});

it('shows names with markup as text', () => {
  const card = markup({ access: 'toolset', toolset: ['tool:<img src=x>'] });
  expect(card).toContain('tool:&lt;img src=x&gt;');
});
