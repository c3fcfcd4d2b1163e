/** Characters of one template text. */
export const MAX_TEMPLATE_CHARS = 262_144;

/** How deep blocks, parentheses and pipeline stages of a template may stand inside one another, each kind counted by itself. */
export const MAX_TEMPLATE_NESTING = 100;

/** Characters of one path. */
export const MAX_PATH_CHARS = 4096;
