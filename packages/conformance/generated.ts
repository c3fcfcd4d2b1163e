import type { GeneratedFile } from '@gateway/repo-checks';
import { conformancePage } from './src/conformance-page.ts';

/** `docs/reference/conformance.md`: what the suite asks, what is run, and what cannot apply. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/conformance.md', text: conformancePage },
];
