import type { PortalSession } from './session.ts';

const PREFIX = 'draft ';

/** Returns the key of a draft in the session storage. A draft of one person is not shown to the next. */
export const draftKey = (name: string, { person }: PortalSession): string =>
  `${PREFIX}${name} ${person?.id ?? ''}`;

/** Removes all drafts of this tab. */
export const removeDrafts = (): void => {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Policies of browsers can refuse the storage: it then has no drafts.
  }
};
