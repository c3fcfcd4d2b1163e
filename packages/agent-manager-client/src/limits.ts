/** The most bytes of a request body. */
export const MAX_BODY_BYTES = 1_048_576;
/** The most characters of an agent's name, which is a DNS-1123 label. */
export const MAX_NAME_CHARS = 63;
/** The most characters of one name or value that a refusal repeats. */
export const MAX_SHOWN_CHARS = 256;
/** The most entries of a list that a refusal repeats. */
export const MAX_SHOWN_ENTRIES = 50;
