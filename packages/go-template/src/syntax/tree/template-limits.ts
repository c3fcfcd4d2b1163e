/** Characters of one template text. */
export const MAX_TEMPLATE_CHARS = 262_144;

/** The maximum nesting of blocks, of parentheses and of pipeline stages of a template, each counted separately. */
export const MAX_TEMPLATE_NESTING = 100;

/** Characters of one path. */
export const MAX_PATH_CHARS = 4096;
