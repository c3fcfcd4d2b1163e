/** Maximum size of a request body, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** Maximum length of an agent's name, which is a DNS-1123 label. */
export const MAX_NAME_CHARS = 63;
/** Maximum length of a name or value that a refusal repeats. */
export const MAX_SHOWN_CHARS = 256;
/** Maximum number of list entries that a refusal repeats. */
export const MAX_SHOWN_ENTRIES = 50;
/** Maximum length of the URL of a Git repository, an image or an icon. */
export const MAX_URL_CHARS = 2_048;
/** Maximum length of an icon as `data:` URL. */
export const MAX_ICON_CHARS = 65_536;
/** Maximum length of a path in a Git repository. */
export const MAX_PATH_CHARS = 1_024;
/** Maximum length of the name of a branch, a tag or a commit. */
export const MAX_GIT_REF_CHARS = 255;
