import { serveReference } from './serve-reference.ts';
import type { GeneratedFile } from '@gateway/repo-checks';

/** `docs/reference/agent-manager.md`: the options of `agent-manager serve` and the metrics. */
export const generated: readonly GeneratedFile[] = [
  { path: 'docs/reference/agent-manager.md', text: serveReference },
];
