/** The most bytes of a request body. */
export const MAX_BODY_BYTES = 1_048_576;
/** The most characters of an agent's name, which is a DNS-1123 label. */
export const MAX_NAME_CHARS = 63;
/** The most characters of one name or value that a refusal repeats. */
export const MAX_SHOWN_CHARS = 256;
/** The most entries of a list that a refusal repeats. */
export const MAX_SHOWN_ENTRIES = 50;
/** The most characters of the address of a Git repository, an image or an icon. */
export const MAX_URL_CHARS = 2_048;
/** The most characters of an icon as `data:` URL. */
export const MAX_ICON_CHARS = 65_536;
/** The most characters of a folder in a Git repository. */
export const MAX_PATH_CHARS = 1_024;
/** The most characters of the name of a branch, a tag or a commit. */
export const MAX_GIT_REF_CHARS = 255;
