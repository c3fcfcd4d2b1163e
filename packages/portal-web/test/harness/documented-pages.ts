import { resolve } from 'node:path';

/** The folder with the pictures of the guide. */
export const IMAGES = resolve(import.meta.dirname, '../../../../docs/images/portal');

/** A page of the portal with a picture in the guide. */
export interface DocumentedPage {
  /** The name of its picture. */
  readonly name: string;
  /** The address, without a slash in front. */
  readonly path: string;
  /** The address of a link of that page which leads to the picture begins so. */
  readonly follow?: string;
  readonly colorScheme?: 'dark';
  /** The picture is as wide as the window of a phone. */
  readonly isSmall?: boolean;
  /** The picture shows the end of the page. */
  readonly isEnd?: boolean;
  /** A part of a text for which the picture waits. */
  readonly text?: string;
}

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

const TOOL = 'catalog/x_files_read_text_file';

/** All pages of the portal. */
export const DOCUMENTED_PAGES: readonly DocumentedPage[] = [
  { name: 'agents', path: 'agents' },
  { name: 'agents-small', path: 'agents', isSmall: true },
  { name: 'agent', path: 'agents/default/assistant' },
  {
    name: 'agent-tools',
    path: `agents/default/assistant/edit?step=Tools&toolset=${json(['preset:assistant', 'tool:x_everything_echo'])}`,
  },
  { name: 'agent-review', path: 'agents/default/reader/edit?step=Review', isEnd: true },
  { name: 'catalog', path: 'catalog?query=read' },
  { name: 'catalog-dark', path: 'catalog?query=read', colorScheme: 'dark' },
  { name: 'catalog-empty', path: 'catalog?group=infrastructure&hint=destructive' },
  { name: 'tool', path: TOOL },
  { name: 'tool-small', path: TOOL, isSmall: true },
  { name: 'try-tool', path: `${TOOL}?tab=try` },
  {
    name: 'toolsets',
    path: `toolsets?left=${json(['preset:assistant'])}&right=${json(['preset:read-only'])}`,
  },
  { name: 'workflows', path: 'workflows' },
  { name: 'workflow', path: 'workflows/daily-note' },
  { name: 'runs', path: 'runs' },
  { name: 'runs-small', path: 'runs', isSmall: true },
  { name: 'runs-empty', path: 'runs?status=failed' },
  { name: 'run', path: 'runs', follow: '/runs/' },
  { name: 'presets', path: 'presets' },
  { name: 'preset', path: 'presets/assistant' },
  { name: 'servers', path: 'servers' },
  { name: 'server', path: 'servers/files' },
  { name: 'server-new', path: 'servers/new?by=command' },
  { name: 'server-import', path: 'servers/import' },
  { name: 'events', path: 'events', text: 'per second' },
  { name: 'events-dark', path: 'events', colorScheme: 'dark', text: 'per second' },
];
