/** Returns a deterministic source of numbers below 1 for one frame of a run (mulberry32). */
export const randomOf = (seed, frame) => {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(frame + 1, 0xc2b2ae35)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Returns an integer of 0 to `end - 1`. */
export const below = (random, end) => Math.floor(random() * end);

/** Returns one of the items. */
export const pick = (random, items) => items[below(random, items.length)];
