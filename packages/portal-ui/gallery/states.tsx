import {
  createCatalogSections,
  EMPTY_COMPOSITION,
  MAX_INLINE_SELECTORS,
  parsePresetCards,
  parseResolution,
  parseServers,
  fromToolset,
  readTools,
  type Composition,
  type DeclaredAccess,
  type ResolutionState,
} from '@gateway/toolset-composer';
import { useState, type ReactNode } from 'react';
import { ResolvedTools, ServerList, ToolsetCard, ToolsetEditor, ToolsStep } from '../src/index.ts';

/** A component in one state. */
export interface GalleryState {
  readonly name: string;
  readonly Example: () => ReactNode;
}

const MANY_TOOLS = 2000;
const LONG = 16 * 1024;

const tool = (name: string, more: object = {}) => ({
  name,
  kind: 'tool',
  server: 'files',
  description: `The tool ${name}`,
  ...more,
});

const TOOLS = [
  tool('x_files_read', { annotations: { readOnlyHint: true } }),
  tool('x_files_delete', { annotations: { destructiveHint: true } }),
  tool('x_files_<img src=x>', { description: '<b>markup</b> '.repeat(LONG / 14) }),
  tool('x_files_\u202Eelitsoh', { description: '\u05E9\u05DC\u05D5\u05DD 👩‍👩‍👧‍👦' }),
  tool('__proto__', { description: 'x'.repeat(LONG) }),
];

const MANY = Array.from({ length: MANY_TOOLS }, (_, index) => tool(`x_many_tool_${index}`));

const resolved = (tools: readonly object[], more: object = {}): ResolutionState =>
  parseResolution({
    kind: 'answered',
    answer: { toolset: [], tools, total: tools.length, toolset_unmatched: [], ...more },
  });

const resolution = (name: string, state: ResolutionState): GalleryState => ({
  name: `resolution: ${name}`,
  Example: () => <ResolvedTools resolution={state} />,
});

const card = (name: string, declared: DeclaredAccess, state?: ResolutionState): GalleryState => ({
  name: `card: ${name}`,
  Example: () => (
    <ToolsetCard declared={declared} resolution={state ?? parseResolution({ kind: 'idle' })} />
  ),
});

const SECTIONS = createCatalogSections({
  tools: readTools({ tools: [...TOOLS, { name: 'workflow_triage', kind: 'workflow' }] }),
  servers: parseServers({
    mcpServers: [
      { name: 'files', state: 'Connected' },
      { name: 'mail', state: 'Auth Required' },
    ],
  }),
  requiringAuth: new Set(['mail']),
});

const signIn = (): Promise<{ message: string }> => Promise.resolve({ message: 'Sign in to mail' });

const StepExample = ({ first }: { readonly first: Composition }): ReactNode => {
  const [composition, setComposition] = useState(first);
  return (
    <ToolsStep
      composition={composition}
      onChange={setComposition}
      presets={parsePresetCards(undefined)}
      sections={SECTIONS}
      agents={[{ name: 'notes', toolset: ['preset:read-only'] }]}
      resolution={resolved(TOOLS)}
      onSignIn={signIn}
    />
  );
};

const EditorExample = ({ first }: { readonly first: Composition }): ReactNode => {
  const [composition, setComposition] = useState(first);
  return (
    <ToolsetEditor
      composition={composition}
      onChange={setComposition}
      presets={parsePresetCards(undefined).cards}
    />
  );
};

const editor = (name: string, first: Composition): GalleryState => ({
  name: `editor: ${name}`,
  Example: () => <EditorExample first={first} />,
});

const step = (name: string, first: Composition): GalleryState => ({
  name: `step: ${name}`,
  Example: () => <StepExample first={first} />,
});

const selectors = (count: number): Composition =>
  fromToolset(Array.from({ length: count }, (_, index) => `tool:x_files_tool_${index}`));

/** Every state of the components that other hosts mount. */
export const STATES: readonly GalleryState[] = [
  resolution('loading', parseResolution({ kind: 'pending' })),
  resolution('unavailable', parseResolution({ kind: 'no-gateway' })),
  resolution('unsupported', parseResolution({ kind: 'answered', answer: { tools: [] } })),
  resolution('unknown preset', parseResolution({ kind: 'failed', message: 'unknown preset "x"' })),
  resolution('error', parseResolution({ kind: 'failed', message: 'The gateway did not answer.' })),
  resolution('empty', resolved([])),
  resolution('tools with hostile names', resolved(TOOLS)),
  resolution('2,000 tools', resolved(MANY)),
  card('no tools', { access: 'none' }),
  card('implicit full access', { access: 'implicit-full' }),
  card('full access', { access: 'toolset', toolset: ['preset:full'] }, resolved(TOOLS)),
  card(
    'unmatched selectors',
    { access: 'toolset', toolset: ['server:files', 'server:gone'] },
    resolved(TOOLS, { toolset_unmatched: ['server:gone'] }),
  ),
  step('nothing chosen', EMPTY_COMPOSITION),
  step('32 of 32 selectors', selectors(MAX_INLINE_SELECTORS)),
  step('33 selectors', selectors(MAX_INLINE_SELECTORS + 1)),
  editor('nothing chosen', EMPTY_COMPOSITION),
  editor('a selector that is none', fromToolset(['preset:read-only', 'label:a=b'])),
  { name: 'servers', Example: () => <ServerList sections={SECTIONS} onSignIn={signIn} /> },
];
