/** The most selectors a toolset may list inline. @spec §2.1, §8 */
export const MAX_INLINE_SELECTORS = 32;
