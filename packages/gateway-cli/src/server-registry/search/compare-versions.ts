const NUMBER = /^\d{1,15}$/u;

interface Version {
  readonly numbers: readonly string[];
  readonly suffix: readonly string[];
}

const partsOf = (version: string): Version => {
  const [core = '', ...rest] = (version.replace(/^v/u, '').split('+')[0] ?? '').split('-');
  const suffix = rest.join('-');
  return { numbers: core.split('.'), suffix: suffix === '' ? [] : suffix.split('.') };
};

const comparePart = (one: string, other: string): number => {
  const areNumbers = [NUMBER.test(one), NUMBER.test(other)];
  if (areNumbers[0] === true && areNumbers[1] === true) return Number(one) - Number(other);
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] === true ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
};

const compareParts = (
  one: readonly string[],
  other: readonly string[],
  absent: string | undefined,
): number => {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [one[at] ?? absent, other[at] ?? absent];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const result = comparePart(left, right);
    if (result !== 0) return result;
  }
  return 0;
};

/** Compares two versions as Semantic Versioning does, negative when the first one is older. Other texts have an order too. */
export const compareVersions = (one: string, other: string): number => {
  const [left, right] = [partsOf(one), partsOf(other)];
  const core = compareParts(left.numbers, right.numbers, '0');
  if (core !== 0) return core;
  // A version without a suffix is newer than its pre-releases.
  if (left.suffix.length === 0 || right.suffix.length === 0)
    return right.suffix.length - left.suffix.length;
  return compareParts(left.suffix, right.suffix, undefined);
};
