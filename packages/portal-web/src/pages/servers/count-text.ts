/** Returns a number with its noun, such as `1 resource` and `2 resources`. */
export const countText = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`;
