/** Returns a value as JSON; undefined for one that is nested too deeply for it. */
export const jsonText = (value: unknown, indent = 0): string | undefined => {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Shown instead of a value without {@link jsonText}. */
export const TOO_DEEP = 'The value is nested too deeply to be shown.';
