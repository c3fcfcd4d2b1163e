/** Returns a problem of a member with its key or index in front: `[0]: ...`, `.a[0]: ...`. */
export const placeInValue = (problem: string, key: string | number): string => {
  const step = typeof key === 'number' ? `[${key}]` : `.${key}`;
  return `${step}${/^(?:\[|\.)/.test(problem) ? problem : `: ${problem}`}`;
};
