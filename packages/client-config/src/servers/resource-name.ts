const MAX_NAME_CHARS = 63;

/** Returns a name that an `MCPServer` can have, as similar to a text as possible; an empty text for one without letters and digits. */
export const resourceName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARS)
    .replaceAll(/^-|-$/g, '');
