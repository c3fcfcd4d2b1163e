import type { Requirements } from '@gateway/repo-checks';

/** The requirements of the specification that this package owns. */
export const requirements = {
  '2.7/template-functions':
    'Step arguments and templates use a common library of template functions.',
} as const satisfies Requirements;
