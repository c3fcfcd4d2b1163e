/** The most characters of a file of a registry, or of one answer. */
export const MAX_DOCUMENT_CHARS = 8_000_000;
/** The most servers of one document. */
export const MAX_SERVERS = 20_000;
/** The most characters of a description, a value or a default. */
export const MAX_TEXT_CHARS = 8_192;
/** The most characters of a name, an identifier or a version. */
export const MAX_NAME_CHARS = 512;
/** The most characters of an address. */
export const MAX_URL_CHARS = 2_048;
/** The most characters of a cursor of a list. */
export const MAX_CURSOR_CHARS = 2_048;
/** The most packages, and the most remotes, of a server. */
export const MAX_WAYS = 50;
/** The most arguments, variables or headers of one package or remote. */
export const MAX_INPUTS = 100;
/** The most values that an input can be limited to. */
export const MAX_CHOICES = 200;
