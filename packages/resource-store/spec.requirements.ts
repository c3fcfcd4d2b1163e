import type { Requirements } from '@gateway/repo-checks';

export const requirements = {
  '1.5/mcpservers-directory':
    'With file-based configuration the same MCPServer schema applies under the directory mcpservers/.',
  '1.5/workflows-directory':
    'With file-based configuration the same Workflow schema applies under workflows/.',
  '1.5/custom-resources':
    'In cluster-orchestrator mode both kinds are authored as custom resources.',

  '2.7/store-warning-reconciler':
    'A workflow using store has a one-line deprecation warning in the reconciler, too.',
} as const satisfies Requirements;
