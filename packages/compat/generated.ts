import type { GeneratedFile } from '@gateway/repo-checks';
import { compatPage } from './src/compat-page.ts';

/** `docs/reference/compatibility.md`: what works with clients and servers of other projects. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/compatibility.md', text: compatPage },
];
