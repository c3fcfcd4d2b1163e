/** Returns a function that returns numbers in [0, 1), always the same ones for the same seed. */
export const seededRandom = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Returns a function that picks entries of `[weight, value]` in proportion to their weights. */
export const weighted = (entries, random) => {
  const total = entries.reduce((sum, [weight]) => sum + weight, 0);
  return () => {
    let at = random() * total;
    for (const [weight, value] of entries) {
      at -= weight;
      if (at < 0) return value;
    }
    return entries.at(-1)[1];
  };
};
