/**
 * Returns whether plain data has more than `max` characters as YAML, counting its texts and keys and two characters for each value. Visits no
 * more values than that.
 */
export const exceedsSize = (value: unknown, max: number): boolean => {
  const values: unknown[] = [value];
  let size = 0;
  while (size <= max && values.length > 0) {
    const next = values.pop();
    size += typeof next === 'string' ? next.length : 2;
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (!Array.isArray(next)) size += key.length;
      values.push((next as Readonly<Record<string, unknown>>)[key]);
      if (values.length > max) return true;
    }
  }
  return size > max;
};
