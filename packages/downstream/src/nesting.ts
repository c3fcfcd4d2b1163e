/** Whether a JSON value has more levels of arrays and objects than that. Looks no deeper itself, so that it cannot run out of stack. */
export const isNestedDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isNestedDeeper(child, levels - 1)));
