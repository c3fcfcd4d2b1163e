import { MantineProvider } from '@mantine/core';
import {
  createCatalogSections,
  EMPTY_COMPOSITION,
  parsePresetCards,
  parseResolution,
  parseServers,
  fromToolset,
  readTools,
} from '@gateway/toolset-composer';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ToolsStep, type ToolsStepProps } from '../src/index.ts';
import { requirement } from './requirement.ts';

const SECTIONS = createCatalogSections({
  tools: readTools({
    tools: [
      { name: 'x_files_read', kind: 'tool', server: 'files' },
      { name: 'workflow_triage', kind: 'workflow' },
    ],
  }),
  servers: parseServers({ mcpServers: [{ name: 'files' }] }),
  requiringAuth: new Set(['mail']),
});

const markup = (props: Partial<ToolsStepProps>): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <ToolsStep
        composition={EMPTY_COMPOSITION}
        onChange={() => undefined}
        presets={parsePresetCards(undefined)}
        sections={SECTIONS}
        agents={[]}
        resolution={parseResolution({ kind: 'idle' })}
        onSignIn={() => Promise.resolve({ message: '' })}
        {...props}
      />
    </MantineProvider>,
  );

const chosen = (...selectors: string[]): Partial<ToolsStepProps> => ({
  composition: fromToolset(selectors),
});

const WARNING = 'every tool, also those that change the gateway for everyone';

requirement('9.2/portal-tools-step', () => {
  it('offers the presets with their selectors and origins, and warns about the whole gateway', () => {
    const own = [{ name: 'triage', description: 'For incidents', built_in: false }];
    const step = markup({ presets: parsePresetCards({ presets: own }) });
    expect(step.match(/role="checkbox"/g)).toHaveLength(4);
    expect(step).toContain('preset:read-only</code> · built in');
    expect(step).toContain('preset:triage</code> · defined by this installation');
    expect(step.split(WARNING)).toHaveLength(2);
  });

  it('shows what is chosen', () => {
    const step = markup(chosen('preset:read-only', 'server:files'));
    expect(step.match(/aria-checked="true"/g)).toHaveLength(1);
    expect(step).toContain('Remove server:files');
    expect(step).toContain('2 of 32 selectors');
  });

  it('says that nothing chosen is no tools', () => {
    expect(markup({})).toContain('The release declares preset:none.');
    expect(markup(chosen('server:files'))).not.toContain('The release declares preset:none.');
  });

  it('offers the toolset of another agent only where there is one', () => {
    const start = 'Start from an existing agent&#x27;s toolset';
    expect(markup({ agents: [{ name: 'sre', toolset: ['server:files'] }] })).toContain(start);
    expect(markup({})).not.toContain(start);
  });

  it('has the groups of the catalog, closed', () => {
    const step = markup({});
    expect(step).toContain('Registered servers');
    expect(step).toContain('Workflows');
    expect(step).not.toContain('x_files_read');
    expect(markup({ sections: [] })).toContain('The catalog is empty for you.');
  });

  it('shows the notice of the host in place of a catalog that is not known', () => {
    const step = markup({ sections: undefined, catalogNotice: 'The gateway is away' });
    expect(step).toContain('The gateway is away');
    expect(step).not.toContain('The catalog is empty for you.');
    expect(step).not.toContain('Search the catalog');
    expect(markup({ catalogNotice: 'The catalog may be old' })).toContain('Search the catalog');
  });

  it('refuses more than 32 selectors and what is none', () => {
    const many = Array.from({ length: 33 }, (_, at) => `tool:t${at}`);
    expect(markup(chosen(...many))).toContain('33 selectors is more than the 32');
    expect(markup(chosen(...many.slice(1)))).not.toContain('Too many selectors');
    expect(markup(chosen('label:a'))).toContain('which is allowed inside presets only');
  });

  it('shows what the toolset resolves to, and offers the sign-in that is missing', () => {
    const answer = {
      toolset: ['server:files', 'server:mail'],
      tools: [],
      total: 0,
      toolset_unmatched: ['server:mail'],
      toolset_requiring_auth: ['server:mail'],
    };
    const step = markup({ resolution: parseResolution({ kind: 'answered', answer }) });
    expect(step).toContain('Resolves to, for you (0)');
    expect(step).toContain('Sign in to mail');
    expect(markup({})).not.toContain('Sign in to mail');
  });
});

it('shows names with markup as text', () => {
  expect(markup(chosen('tool:<img src=x>'))).not.toContain('<img');
});
